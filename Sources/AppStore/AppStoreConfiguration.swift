// SPDX-License-Identifier: Apache-2.0

package import Model

/// One App Store app as its owner configured it: who it is, where it is asked, and with what.
package struct AppStoreConfiguration: Sendable {
    /// How the app's subscriptions are read.
    package enum API: Sendable {
        /// The App Store Server API.
        case server(Server)
        /// The legacy `verifyReceipt`.
        case verifyReceipt(Receipts)
    }

    /// What the App Store Server API needs.
    package struct Server: Sendable {
        package var issuerID: String
        package var keyID: String
        /// The in-app purchase key, the text of its `.p8` file.
        package var privateKey: Secret
        /// Apple's root certificate, DER or PEM.
        package var rootCertificate: [UInt8]
        /// What proves version 1 notifications; nil where the app gets none.
        package var sharedSecret: Secret?
        /// Without a slash at the end.
        package var productionURL: String
        package var sandboxURL: String

        package init(
            issuerID: String, keyID: String, privateKey: Secret, rootCertificate: [UInt8], sharedSecret: Secret? = nil,
            productionURL: String = "https://api.storekit.apple.com",
            sandboxURL: String = "https://api.storekit-sandbox.apple.com"
        ) {
            self.issuerID = issuerID
            self.keyID = keyID
            self.privateKey = privateKey
            self.rootCertificate = rootCertificate
            self.sharedSecret = sharedSecret
            self.productionURL = productionURL
            self.sandboxURL = sandboxURL
        }
    }

    /// What `verifyReceipt` needs. Its URLs are whole.
    package struct Receipts: Sendable {
        package var sharedSecret: Secret
        package var productionURL: String
        package var sandboxURL: String

        package init(
            sharedSecret: Secret, productionURL: String = "https://buy.itunes.apple.com/verifyReceipt",
            sandboxURL: String = "https://sandbox.itunes.apple.com/verifyReceipt"
        ) {
            self.sharedSecret = sharedSecret
            self.productionURL = productionURL
            self.sandboxURL = sandboxURL
        }
    }

    /// The rate at which the store answers one app at its common endpoints, in requests a second: what a configured
    /// `requests_per_second` is a share of.
    package static let publishedRequestsPerSecond = 50.0

    package var appID: AppID
    package var bundleID: String
    /// The app's number in the store; compared in production where it is given.
    package var appAppleID: Int64?
    /// Where a subscription is looked for first when nobody knows.
    package var environment: PurchaseEnvironment
    package var api: API
    /// ISO 3166-1 alpha-2, where the store names no country; an assumption, and labelled so.
    package var defaultCountry: String?

    package init(
        appID: AppID, bundleID: String, appAppleID: Int64? = nil, environment: PurchaseEnvironment = .production,
        api: API, defaultCountry: String? = nil
    ) {
        self.appID = appID
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.environment = environment
        self.api = api
        self.defaultCountry = defaultCountry
    }
}
