// SPDX-License-Identifier: Apache-2.0

package import Model
package import Signing

/// One App Store app as its owner configured it: who it is, where it is asked, and with what.
package struct AppStoreConfiguration: Sendable {
    /// How the app's subscriptions are read.
    package enum API: Sendable {
        /// The App Store Server API.
        case server(Server)
        /// The legacy `verifyReceipt`.
        case verifyReceipt(Receipts)
    }

    /// Addresses that replace the store's own, such as a proxy's; nil: the store's own.
    package struct Addresses: Sendable {
        package var production: String?
        package var sandbox: String?
    }

    /// What the App Store Server API needs.
    package struct Server: Sendable {
        package var issuerID: String
        package var keyID: String
        /// What signs with the in-app purchase key of its `.p8` file, whose text is not kept; nil for a job that asks no store.
        package var signer: ES256Signer?
        /// Apple's root certificate, DER or PEM.
        package var rootCertificate: [UInt8]
        /// What proves version 1 notifications; nil where the app gets none.
        package var sharedSecret: Secret?
        /// Without a slash at the end.
        package var addresses: Addresses

        package init(
            issuerID: String, keyID: String, signer: ES256Signer?, rootCertificate: [UInt8],
            sharedSecret: Secret? = nil, productionURL: String? = nil, sandboxURL: String? = nil
        ) {
            self.issuerID = issuerID
            self.keyID = keyID
            self.signer = signer
            self.rootCertificate = rootCertificate
            self.sharedSecret = sharedSecret
            self.addresses = Addresses(production: productionURL, sandbox: sandboxURL)
        }

        package var productionURL: String { addresses.production ?? "https://api.storekit.apple.com" }
        package var sandboxURL: String { addresses.sandbox ?? "https://api.storekit-sandbox.apple.com" }
    }

    /// What `verifyReceipt` needs.
    ///
    /// Its URLs are whole.
    package struct Receipts: Sendable {
        package var sharedSecret: Secret
        package var addresses: Addresses

        package init(sharedSecret: Secret, productionURL: String? = nil, sandboxURL: String? = nil) {
            self.sharedSecret = sharedSecret
            self.addresses = Addresses(production: productionURL, sandbox: sandboxURL)
        }

        package var productionURL: String { addresses.production ?? "https://buy.itunes.apple.com/verifyReceipt" }
        package var sandboxURL: String { addresses.sandbox ?? "https://sandbox.itunes.apple.com/verifyReceipt" }
    }

    /// The rate at which the store answers one app at its common endpoints, in requests a second: what a configured
    /// `requests_per_second` is a share of.
    ///
    /// Apple publishes it by the second and counts it by the hour: 180,000, and 72,000, 36,000 or 3,600 where a table says 20, 10 or 1;
    /// a tenth of each in the sandbox (appstoreserverapi/identifying-rate-limits). A pace of even requests keeps to both.
    package static let publishedRequestsPerSecond = 50.0

    package var appID: AppID
    package var bundleID: String
    /// The app's number in the store; compared in production where it is given.
    package var appAppleID: Int64?
    /// Where a subscription is looked for first when its environment is unknown.
    package var environment: PurchaseEnvironment
    package var api: API

    package init(
        appID: AppID, bundleID: String, appAppleID: Int64? = nil, environment: PurchaseEnvironment = .production,
        api: API
    ) {
        self.appID = appID
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.environment = environment
        self.api = api
    }
}
