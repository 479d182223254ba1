// SPDX-License-Identifier: Apache-2.0

import Stores

/// `responseBodyV2DecodedPayload`: what the App Store signed as one notification.
struct NotificationPayload: JSONReadable {
    /// What every kind of notification says of the app it is about, and the signed rows that some of them carry.
    struct Content {
        let origin: AnswerOrigin
        let signedTransaction: String?
        let signedRenewal: String?
        /// The environment of a token of an external purchase, which names none.
        let isSandboxToken: Bool

        init(_ fields: Fields) {
            origin = AnswerOrigin(fields)
            signedTransaction = fields.text("signedTransactionInfo")
            signedRenewal = fields.text("signedRenewalInfo")
            isSandboxToken = fields.text("externalPurchaseId")?.hasPrefix("SANDBOX") ?? false
        }
    }

    /// The member that holds the content: exactly one of them is there.
    enum Kind: String, CaseIterable {
        /// About one customer's purchase.
        case data
        /// About a mass extension.
        case summary
        case externalPurchaseToken
        /// About the app itself on a customer's device.
        case appData
    }

    let type: String?
    let subtype: String?
    let uuid: String?
    let signedDate: Int64?
    let kind: Kind?
    let content: Content?

    init(_ fields: Fields) {
        type = fields.text("notificationType")
        subtype = fields.text("subtype")
        uuid = fields.text("notificationUUID")
        signedDate = fields.integer("signedDate")
        let found = Kind.allCases.lazy.compactMap { kind in fields.object(kind.rawValue).map { (kind, $0) } }.first
        kind = found?.0
        content = found.map { Content($0.1) }
    }
}

/// What the App Store posts to the owner's webhook, and lists in its history: the signed text in an envelope.
struct NotificationEnvelope: JSONReadable {
    let signedPayload: String?

    init(_ fields: Fields) { signedPayload = fields.text("signedPayload") }
}
