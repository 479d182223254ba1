// SPDX-License-Identifier: Apache-2.0

/// The columns of an export, each a dotted path into a notification.
package struct ExportColumns: Sendable {
    package let paths: [String]

    /// The columns of the spreadsheet in which owners of apps collected version 1 notifications with a script, as it was
    /// handed around: the same tables go on with the same header.
    package static let spreadsheet = ExportColumns(
        paths: ["date", "mimeType", "length", "environment", "notification_type", "password"]
            + ["original_transaction_id", "cancellation_date", "web_order_line_item_id", "auto_renew_status"]
            + ["auto_renew_adam_id", "auto_renew_product_id", "expiration_intent"]
            + row(named: "latest_receipt_info") + row(named: "latest_expired_receipt_info")
            + ["latest_receipt", "latest_expired_receipt"])

    private init(paths: [String]) { self.paths = paths }

    /// From a file with one path on each line; empty lines are passed over.
    ///
    /// Nil when there is none.
    package init?(lines text: String) {
        let paths = text.split(whereSeparator: \.isNewline).map { $0.trimming(\.isWhitespace) }.filter { !$0.isEmpty }
        guard !paths.isEmpty else { return nil }
        self.paths = paths
    }

    /// A row of a receipt, first itself and then its members.
    private static func row(named name: String) -> [String] {
        let members = [
            "bid", "bvrs", "app_item_id", "product_id", "item_id", "quantity", "unique_vendor_identifier",
            "is_in_intro_offer_period", "is_trial_period", "unique_identifier", "transaction_id",
            "original_transaction_id", "web_order_line_item_id", "version_external_identifier", "expires_date",
            "expires_date_formatted", "expires_date_formatted_pst", "purchase_date", "purchase_date_ms",
            "purchase_date_pst", "original_purchase_date", "original_purchase_date_ms", "original_purchase_date_pst",
        ]
        return [name] + members.map { "\(name).\($0)" }
    }
}

extension Substring {
    fileprivate func trimming(_ isBlank: (Character) -> Bool) -> String {
        let start = drop(while: isBlank)
        return String(start[..<(start.lastIndex { !isBlank($0) }.map(start.index(after:)) ?? start.startIndex)])
    }
}
