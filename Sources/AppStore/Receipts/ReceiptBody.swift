// SPDX-License-Identifier: Apache-2.0

import Stores

/// The receipt within the answer.
struct ReceiptBody: JSONReadable {
    let bundleID: String?
    let requestDate: ReceiptDate
    let inApp: [ReceiptRow?]

    init(_ fields: Fields) {
        bundleID = fields.text("bundle_id") ?? fields.text("bid")
        requestDate = ReceiptDate(fields, "request_date")
        // In the form of iOS 6 the receipt is the transaction.
        let isRow = fields.text("transaction_id") != nil
        let own: [ReceiptRow?] = isRow ? [ReceiptRow(fields)] : []
        inApp = (fields.list("in_app") ?? []) + own
    }
}
