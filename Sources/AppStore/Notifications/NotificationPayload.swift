// SPDX-License-Identifier: Apache-2.0

import Stores

/// `responseBodyV2DecodedPayload`: what the App Store signed as one notification.
struct NotificationPayload: JSONReadable {
    /// What the members say of the app that they are about, and the signed rows that some of them carry.
    struct Content {
        /// Of every member that names one; members of kinds to come need not.
        let bundleIDs: [String]
        let appAppleIDs: [Int64]
        let environment: String?
        let signedTransaction: String?
        let signedRenewal: String?
        /// The environment of a token of an external purchase, which names none.
        let isSandboxToken: Bool

        init(_ members: [Fields]) {
            let origins = members.map { AnswerOrigin($0) }
            bundleIDs = origins.compactMap(\.bundleID)
            appAppleIDs = origins.compactMap(\.appAppleID)
            environment = origins.lazy.compactMap(\.environment).first
            signedTransaction = members.lazy.compactMap { $0.text("signedTransactionInfo") }.first
            signedRenewal = members.lazy.compactMap { $0.text("signedRenewalInfo") }.first
            isSandboxToken = members.contains { $0.text("externalPurchaseId")?.hasPrefix("SANDBOX") ?? false }
        }
    }

    /// The members that are documented: one customer's purchase, a mass extension, a token of an external purchase, the app itself on
    /// a customer's device, unclaimed seats.
    private static let knownMembers: Set<String> = [
        "data", "summary", "externalPurchaseToken", "appData", "unclaimInfo",
    ]

    let type: String?
    let subtype: String?
    let uuid: String?
    let signedDate: Int64?
    let content: Content
    /// It has nothing that is not documented.
    let isKnown: Bool

    init(_ fields: Fields) {
        type = fields.text("notificationType")
        subtype = fields.text("subtype")
        uuid = fields.text("notificationUUID")
        signedDate = fields.integer("signedDate")
        let members = fields.names(outside: []).compactMap { name in fields.object(name).map { (name, $0) } }
        content = Content(members.map(\.1))
        isKnown = members.allSatisfy { Self.knownMembers.contains($0.0) }
    }
}
