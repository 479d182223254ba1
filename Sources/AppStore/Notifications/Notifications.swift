// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

// What the App Store's two readers make of notifications. Version 1 is read by both: it is proved by the shared secret.

extension AppStoreServer {
    func hint(in notification: RawNotification) throws(NotificationRefusal) -> Hint {
        switch notification.source {
        case .appStoreV2:
            try NotificationV2Reader(verifier: verifier, configuration: configuration, now: clock())
                .hint(in: notification)
        case .appStoreV1:
            try NotificationV1Reader(
                bundleID: configuration.bundleID, environment: configuration.environment,
                sharedSecret: server.sharedSecret, readsReceipts: false
            ).hint(in: notification)
        case .playRTDN: throw .notOfThisStore
        }
    }

    func pull(since: Instant, until: Instant, through client: ThrottledClient) -> (any NotificationPull)? {
        NotificationHistory(of: self, since: since, until: until, through: client)
    }

    func readable(_ notification: RawNotification) -> [UInt8]? { NotificationText.readable(notification) }
}

extension VerifyReceipt {
    func hint(in notification: RawNotification) throws(NotificationRefusal) -> Hint {
        switch notification.source {
        case .appStoreV1:
            try NotificationV1Reader(
                bundleID: configuration.bundleID, environment: configuration.environment,
                sharedSecret: receipts.sharedSecret, readsReceipts: true
            ).hint(in: notification)
        case .appStoreV2: throw .needsServer
        case .playRTDN: throw .notOfThisStore
        }
    }

    func readable(_ notification: RawNotification) -> [UInt8]? { NotificationText.readable(notification) }
}

extension NotificationRefusal {
    fileprivate static let needsServer = NotificationRefusal(
        reason: "needs_server_api",
        detail: "Version 2 is signed under Apple's root certificate, which apps with `api: server` alone are given.")
}
