// SPDX-License-Identifier: Apache-2.0

import Model
import Signing
import Stores

/// Believes a version 1 notification or says why not.
///
/// It is not signed: only the shared secret in it proves its origin.
struct NotificationV1Reader {
    let bundleID: String
    let environment: PurchaseEnvironment
    /// Nil: none is configured, and then nothing of version 1 can be believed.
    let sharedSecret: Secret?
    /// The app's subscriptions are asked about with receipts: one that is new needs the notification's.
    let readsReceipts: Bool

    /// What differs each time the same notification is sent, or is confidential.
    private static let volatile: Set<String> = ["password", "latest_receipt", "latest_expired_receipt"]

    func hint(in notification: RawNotification) throws(NotificationRefusal) -> Hint {
        let text = notification.payload.reveal()
        guard text.contains(where: { !$0.isWhitespace }) else { throw .empty }
        guard let body = NotificationV1(json: Array(text.utf8)) else { throw .notJSON }
        try checkPassword(body.password)
        guard body.bundleID == bundleID else { throw .otherApp }
        let environment = try environment(of: body)
        guard let type = body.type?.asPlainWord() else { throw .notJSON }
        let targets = targets(of: body, in: environment)
        return Hint(
            type: type, isKnownType: NotificationTypes.v1.contains(type),
            dedupeKey: "sha256:" + ContentHash.of(Array(text.utf8), without: Self.volatile), targets: targets,
            isAboutRefund: NotificationTypes.isAboutRefund(type),
            remark: targets.isEmpty ? "about no purchase" : nil)
    }

    /// Compares digests of equal length in constant time, so that the duration reveals nothing about the secret.
    private func checkPassword(_ given: Secret?) throws(NotificationRefusal) {
        guard let sharedSecret else { throw .noSharedSecret }
        let ours = SHA256.digest(of: sharedSecret.reveal())
        let theirs = SHA256.digest(of: given?.reveal() ?? "")
        guard zip(ours, theirs).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else { throw .wrongPassword }
    }

    private func environment(of body: NotificationV1) throws(NotificationRefusal) -> PurchaseEnvironment {
        let said: PurchaseEnvironment
        switch body.environment {
        case "PROD", "Production": said = .production
        case "Sandbox": said = .sandbox
        default: throw .otherEnvironment
        }
        guard said == .sandbox || environment == .production else { throw .otherEnvironment }
        return said
    }

    /// The customer's subscriptions in this app that it shows, for version 1 does not say which of them it is about; and of
    /// their one-time products those that it can only be about: the one it names, those that were given back, or the
    /// newest where it shows nothing else.
    private func targets(of body: NotificationV1, in environment: PurchaseEnvironment) -> [Hint.Target] {
        var seen: Set<String> = []
        var targets: [Hint.Target] = []
        var sales: [Hint.Target] = []
        for mention in body.mentions {
            guard let id = mention.originalTransactionID?.asStoreID(of: .appStore), seen.insert(id).inserted else {
                continue
            }
            let said = body.mentions.filter { $0.originalTransactionID == id }
            let isSubscription = said.contains { $0.isOfSubscription && ($0.isRow || !said.contains(where: \.isRow)) }
            let isOneTime = !isSubscription && said.contains(where: \.isRow)
            let target = Hint.Target(
                .storeKey(Secret(id)), isRegistrable: isSubscription || isOneTime,
                productID: mention.productID?.asPlainWord(upTo: 300), environment: environment,
                receipt: readsReceipts ? body.receipt : nil)
            let isNamed = said.contains { !$0.isRow || $0.isCancelled }
            if !isOneTime || isNamed { targets.append(target) } else { sales.append(target) }
        }
        return targets.isEmpty ? Array(sales.prefix(1)) : targets
    }
}

extension NotificationRefusal {
    fileprivate static let noSharedSecret = NotificationRefusal(
        reason: "no_shared_secret",
        detail: "Version 1 is proved by the app's shared secret: name its file as shared_secret_file.")
    fileprivate static let wrongPassword = NotificationRefusal(
        reason: "wrong_password", detail: "The password in it is not the app's shared secret.")
}
