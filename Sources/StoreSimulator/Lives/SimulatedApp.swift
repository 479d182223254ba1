// SPDX-License-Identifier: Apache-2.0

/// An app of the simulated store: what it is called, and how it is read.
package struct SimulatedApp: Hashable, Sendable, Codable {
    /// Which of the store's two doors the app's data comes through.
    package enum API: String, Hashable, Sendable, Codable { case server, receipts }

    package let id: String
    package let bundleID: String
    package let api: API
    package let environment: StoreEnvironment
    package let appAppleID: Int64

    private init(_ id: String, _ bundleID: String, _ api: API, _ environment: StoreEnvironment) {
        self.id = id
        self.bundleID = bundleID
        self.api = api
        self.environment = environment
        self.appAppleID = 1_234_567_890
    }

    /// Read through the App Store Server API.
    package static func server(id: String, bundleID: String, environment: StoreEnvironment = .production) -> Self {
        Self(id, bundleID, .server, environment)
    }

    /// Read through verifyReceipt.
    package static func receipt(id: String, bundleID: String, environment: StoreEnvironment = .production) -> Self {
        Self(id, bundleID, .receipts, environment)
    }
}
