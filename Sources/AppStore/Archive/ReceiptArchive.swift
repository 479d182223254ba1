// SPDX-License-Identifier: Apache-2.0

import Foundations
import Model
import Stores

/// Makes the archived form of a `verifyReceipt` answer: without the receipts, which open the purchase history to
/// whoever holds them, and without the identifiers of devices.
enum ReceiptArchive {
    private static let cut: Set<String> = [
        "latest_receipt", "latest_expired_receipt", "receipt-data", "password", "unique_identifier",
        "unique_vendor_identifier",
    ]

    private static let timeOfAsking: Set<String> = ["request_date", "request_date_ms", "request_date_pst"]

    static func document(of source: StoreAnswer.Document) -> ArchivedDocument {
        ArchivedDocument(
            endpoint: source.endpoint, body: body(of: source),
            answerHash: ContentHash.of(source, without: cut.union(timeOfAsking)))
    }

    /// What is no JSON is not stored: its content is unknown.
    private static func body(of source: StoreAnswer.Document) -> String {
        guard let document = source.json else { return "{}" }
        let compacted = document.compact(document.root) { member, _ in !cut.contains(member.name) }
        return String(decoding: compacted, as: UTF8.self)
    }
}
