// SPDX-License-Identifier: Apache-2.0

import HTTP
import Stores

/// One page of Get Transaction History.
struct HistoryResponse: JSONReadable {
    let origin: AnswerOrigin
    /// Where the next page, or the next night, goes on; nil when the store gave none.
    let revision: String?
    let hasMore: Bool
    let signedTransactions: [String?]
    let unknownFields: [String]

    init(_ fields: Fields) {
        origin = AnswerOrigin(fields)
        revision = fields.text("revision")
        hasMore = fields.flag("hasMore") ?? false
        signedTransactions = fields.texts("signedTransactions") ?? []
        unknownFields = fields.names(outside: Self.knownFields)
    }

    private static let knownFields = AnswerOrigin.names.union(["revision", "hasMore", "signedTransactions"])
}

/// A page of a history as it came.
struct HistoryPage {
    let document: StoreAnswer.Document
    let content: HistoryResponse
    let response: HTTPResponse
}
