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
    }

    package let id: String
    /// On Google Play the package's name.
    package let bundleID: String
    package let api: API
    package let environment: StoreEnvironment
    package let appAppleID: Int64
    /// Nil for an app of the App Store.
    package let play: Play?

    private init(
        _ id: String, _ bundleID: String, _ api: API, _ environment: StoreEnvironment, play: Play? = nil
    ) {
        self.id = id
        self.bundleID = bundleID
        self.api = api
        self.environment = environment
        self.appAppleID = 1_234_567_890
        self.play = play
    }

    /// Read through the App Store Server API.
    package static func server(id: String, bundleID: String, environment: StoreEnvironment = .production) -> Self {
        Self(id, bundleID, .server, environment)
    }

    /// Read through verifyReceipt.
    package static func receipt(id: String, bundleID: String, environment: StoreEnvironment = .production) -> Self {
        Self(id, bundleID, .receipts, environment)
    }

    /// Read through the Google Play Developer API.
    package static func play(
        id: String, packageName: String, api: Play.API = .v2, grant: Play.Grant = .serviceAccount
    ) -> Self {
        Self(id, packageName, .play, .production, play: Play(api: api, grant: grant))
    }
}
