// SPDX-License-Identifier: Apache-2.0

/// An app of the simulated stores: what it is called, and how it is read.
package struct SimulatedApp: Hashable, Sendable, Codable {
    /// Which door the app's data comes through: one of the App Store's two, or Google Play's.
    package enum API: String, Hashable, Sendable, Codable { case server, receipts, play }

    /// How an app of Google Play is read.
    package struct Play: Hashable, Sendable, Codable {
        /// `purchases.subscriptionsv2` and orders, or the old `purchases.subscriptions`.
        package enum API: String, Hashable, Sendable, Codable, CaseIterable { case v2, v1 }
        /// Who asks: a service account, or a client with a person's consent.
        package enum Grant: String, Hashable, Sendable, Codable, CaseIterable { case serviceAccount, refreshToken }

        package let api: API
        package let grant: Grant
        /// Whether its notifications are published to a Pub/Sub subscription.
        package let publishes: Bool
    }

    package let id: String
    /// On Google Play the package's name.
    package let bundleID: String
    package let api: API
    package let environment: StoreEnvironment
    package var appAppleID: Int64 = 1_234_567_890
    /// Nil for an app of the App Store.
    package var play: Play?
    /// Whether the owner named a server to send notifications to: without one the store keeps no history of them.
    package var hasNotificationURL = false
    /// Whether version 1 notifications are posted to the owner's server; the store keeps no history of those.
    package var hasVersion1Notifications = false
    /// How time flies for an app's testers; nil lets it pass as it does.
    package var sandboxClock: SandboxClock?

    /// Read through the App Store Server API.
    ///
    /// Unless it says otherwise it has no notification URL: then every purchase is followed by its own checks alone.
    package static func server(
        id: String, bundleID: String, environment: StoreEnvironment = .production, hasNotificationURL: Bool = false,
        sandboxClock: SandboxClock? = nil
    ) -> Self {
        Self(
            id: id, bundleID: bundleID, api: .server, environment: environment, hasNotificationURL: hasNotificationURL,
            sandboxClock: environment == .sandbox ? sandboxClock : nil)
    }

    /// Read through verifyReceipt.
    package static func receipt(
        id: String, bundleID: String, environment: StoreEnvironment = .production,
        hasVersion1Notifications: Bool = false, sandboxClock: SandboxClock? = nil
    ) -> Self {
        Self(
            id: id, bundleID: bundleID, api: .receipts, environment: environment,
            hasVersion1Notifications: hasVersion1Notifications,
            sandboxClock: environment == .sandbox ? sandboxClock : nil)
    }

    /// Read through the Google Play Developer API.
    package static func play(
        id: String, packageName: String, api: Play.API = .v2, grant: Play.Grant = .serviceAccount,
        publishes: Bool = false
    ) -> Self {
        Self(
            id: id, bundleID: packageName, api: .play, environment: .production,
            play: Play(api: api, grant: grant, publishes: publishes))
    }
}

/// Where a purchase was made: with money, or by a tester.
package enum StoreEnvironment: String, Hashable, Sendable, Codable, CaseIterable {
    case production, sandbox

    var storeName: String { self == .production ? "Production" : "Sandbox" }
}

/// Whether the customer bought the subscription, enjoys a family member's, or has a seat that a group or organization pays.
package enum Ownership: String, Hashable, Sendable, Codable, CaseIterable {
    case purchased
    case familyShared = "family_shared"
    case assigned

    var storeName: String {
        switch self {
        case .purchased: "PURCHASED"
        case .familyShared: "FAMILY_SHARED"
        case .assigned: "ASSIGNED"
        }
    }
}
