// SPDX-License-Identifier: Apache-2.0

import Stores

/// The answer to Get All Subscription Statuses.
struct StatusResponse: JSONReadable {
    /// The subscriptions of one group.
    struct Group: JSONReadable {
        let lastTransactions: [LastTransaction?]

        init(_ fields: Fields) {
            lastTransactions = fields.list("lastTransactions") ?? []
        }
    }

    /// The state of one subscription, with its latest transaction and renewal information still signed.
    struct LastTransaction: JSONReadable {
        let status: Int64?
        let originalTransactionID: String?
        let signedTransaction: String?
        let signedRenewal: String?

        init(_ fields: Fields) {
            status = fields.integer("status")
            originalTransactionID = fields.text("originalTransactionId")
            signedTransaction = fields.text("signedTransactionInfo")
            signedRenewal = fields.text("signedRenewalInfo")
        }
    }

    let origin: AnswerOrigin
    let groups: [Group?]
    let unknownFields: [String]

    init(_ fields: Fields) {
        origin = AnswerOrigin(fields)
        groups = fields.list("data") ?? []
        unknownFields = fields.names(outside: Self.knownFields)
    }

    private static let knownFields = AnswerOrigin.names.union(["data"])

    /// In the order they came; nil for each that cannot be read.
    var lastTransactions: [LastTransaction?] { groups.flatMap { $0?.lastTransactions ?? [nil] } }
}
