// SPDX-License-Identifier: Apache-2.0

import Stores

/// One page of Get Transaction History.
struct HistoryResponse: JSONReadable {
    let origin: AnswerOrigin
    let position: HistoryPosition
    let signedTransactions: [String?]
    let unknownFields: [String]

    init(_ fields: Fields) {
        origin = AnswerOrigin(fields)
        position = HistoryPosition(fields)
        signedTransactions = fields.texts("signedTransactions") ?? []
        unknownFields = fields.names(outside: Self.knownFields)
    }

    private static let knownFields = AnswerOrigin.names.union(["revision", "hasMore", "signedTransactions"])
}
