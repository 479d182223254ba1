// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Signing
import Stores

/// Believes a version 2 notification or says why not: the chain and signature of the whole and of the rows in it, by the
/// rules for every signed row; the app; the environment.
struct NotificationV2Reader {
    let verifier: JWSVerifier
    let configuration: AppStoreConfiguration
    /// For a payload that does not say when it was signed.
    let now: Instant

    func hint(in notification: RawNotification) throws(NotificationRefusal) -> Hint {
        let compact = try Self.compact(notification.payload.reveal())
        let payload: NotificationPayload = try verified(compact, signedDate: \.signedDate)
        guard let type = payload.type?.asPlainWord() else { throw .notJSON }
        let environment = try environment(of: payload.content)
        let targets = try targets(
            of: payload.content, in: environment, reportsChange: NotificationTypes.isAboutChangedRow(type))
        return Hint(
            type: payload.subtype?.asPlainWord().map { "\(type)/\($0)" } ?? type,
            isKnownType: payload.isKnown && NotificationTypes.isKnown(v2: type, subtype: payload.subtype),
            dedupeKey: payload.uuid?.asPlainWord() ?? notification.textKey, targets: targets,
            isAboutRefund: NotificationTypes.isAboutRefund(type),
            sentAt: Instant(storeMilliseconds: payload.signedDate),
            remark: targets.isEmpty ? Self.remark(type: type) : nil)
    }

    /// The signed text: in its envelope, or by itself.
    static func compact(_ text: String) throws(NotificationRefusal) -> String {
        guard text.contains(where: { !$0.isWhitespace }) else { throw .empty }
        if let envelope = NotificationEnvelope(json: Array(text.utf8)) {
            guard let compact = envelope.signedPayload else { throw .notJSON }
            return compact
        }
        let bare = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard bare.split(separator: ".", omittingEmptySubsequences: false).count == 3 else { throw .notJSON }
        return bare
    }

    private func verified<Payload: JSONReadable>(
        _ compact: String, signedDate: (Payload) -> Int64?
    ) throws(NotificationRefusal) -> Payload {
        var payload: Payload?
        do throws(SigningError) {
            _ = try verifier.verify(compact, fallbackValidAt: now.milliseconds) { json in
                payload = Payload(json: json)
                return payload.flatMap(signedDate)
            }
        } catch {
            throw NotificationRefusal(reason: NotificationRefusal.unverified, detail: error.description)
        }
        guard let payload else { throw .notJSON }
        return payload
    }

    /// Which environment it is of, once no member of it names another app.
    ///
    /// What Xcode and the local test environment send is not signed by the store; an app of the sandbox alone accepts
    /// nothing of production.
    private func environment(of content: NotificationPayload.Content) throws(NotificationRefusal) -> PurchaseEnvironment
    {
        guard content.bundleIDs.allSatisfy({ $0 == configuration.bundleID }) else { throw .otherApp }
        let hasRows = content.signedTransaction != nil || content.signedRenewal != nil
        let unnamed = hasRows ? PurchaseEnvironment.production : configuration.environment
        let word = content.environment ?? (content.isSandboxToken ? "Sandbox" : unnamed.storeName)
        guard let environment = PurchaseEnvironment.allCases.first(where: { $0.storeName == word }),
            environment == .sandbox || configuration.environment == .production
        else { throw .otherEnvironment }
        if environment == .production, let ours = configuration.appAppleID {
            guard content.appAppleIDs.allSatisfy({ $0 == ours }) else { throw .otherApp }
        }
        return environment
    }

    /// The subscription or one-time product that its rows are about; none where it has no rows.
    private func targets(
        of content: NotificationPayload.Content, in environment: PurchaseEnvironment, reportsChange: Bool
    ) throws(NotificationRefusal) -> [Hint.Target] {
        let rows = RowVerifier(
            verifier: verifier, bundleID: configuration.bundleID, environment: environment, answeredAt: now)
        guard let signed = content.signedTransaction else {
            return try targets(ofRenewalAloneIn: content, environment)
        }
        let transaction = try rows.transaction(signed).believed().payload
        if let renewal = content.signedRenewal {
            _ = try rows.renewal(renewal, of: transaction.originalTransactionID).believed()
        }
        guard let id = transaction.originalTransactionID?.asStoreID(of: .appStore) else { throw .notJSON }
        return [
            Hint.Target(
                .storeKey(Secret(id)), isRegistrable: true, productID: transaction.productID?.asPlainWord(upTo: 300),
                environment: environment,
                changedRow: reportsChange
                    ? transaction.transactionID.map { Hint.ChangedRow(transactionID: $0, signed: Secret(signed)) } : nil
            )
        ]
    }

    private func targets(
        ofRenewalAloneIn content: NotificationPayload.Content, _ environment: PurchaseEnvironment
    ) throws(NotificationRefusal) -> [Hint.Target] {
        // A renewal alone names no app: that is told by the member it is in.
        guard let signed = content.signedRenewal, !content.bundleIDs.isEmpty else { return [] }
        let renewal: RenewalPayload = try verified(signed, signedDate: \.signedDate)
        guard renewal.environment == environment.storeName else { throw .otherEnvironment }
        guard let id = renewal.originalTransactionID?.asStoreID(of: .appStore) else { throw .notJSON }
        return [
            Hint.Target(
                .storeKey(Secret(id)), isRegistrable: true, productID: renewal.productID?.asPlainWord(upTo: 300),
                environment: environment)
        ]
    }

    private static func remark(type: String) -> String {
        type == "TEST" ? "a test notification" : "about no single subscription"
    }
}

extension Result where Failure == RowRefusal {
    /// The row within a notification, or the refusal of the whole of it.
    fileprivate func believed() throws(NotificationRefusal) -> Success {
        do throws(RowRefusal) {
            return try get()
        } catch {
            throw NotificationRefusal(reason: error.reason, detail: error.detail)
        }
    }
}

extension NotificationRefusal {
    static let otherEnvironment = NotificationRefusal(
        reason: "wrong_environment",
        detail: "The notification is of another environment than the app is configured for.")
}
