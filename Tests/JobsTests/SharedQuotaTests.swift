// SPDX-License-Identifier: Apache-2.0

import AppStore
import GooglePlay
import HTTP
import Model
import Testing

@testable import Stores
@testable import subledger

/// Whose calls a store counts together: an app at the App Store, a credential (of one Cloud project) at Google Play, or
/// those that the owner put together.
@Suite struct SharedQuotaTests {
    private static func play(
        _ id: String, key: String = "key", client: String? = nil, rate: Double = 20, quota: String? = nil
    ) -> AppConfiguration {
        let credentials: GooglePlayConfiguration.Credentials =
            client.map { .refreshToken(clientID: $0, clientSecret: Secret("s"), refreshToken: Secret("r")) }
            ?? .serviceAccount(Secret(key))
        return AppConfiguration(
            id: AppID(id), environment: .production, httpVersion: .http2, requestsPerSecond: rate, quota: quota,
            maxInFlight: 64,
            store: .googlePlay(
                GooglePlayConfiguration(
                    appID: AppID(id), packageName: "com.acme", api: .v2, credentials: credentials)))
    }

    private static func appStore(_ id: String, quota: String? = nil) -> AppConfiguration {
        AppConfiguration(
            id: AppID(id), environment: .production, httpVersion: .http2, requestsPerSecond: 40, quota: quota,
            maxInFlight: 64,
            store: .appStore(
                AppStoreConfiguration(
                    appID: AppID(id), bundleID: "com.acme",
                    api: .verifyReceipt(AppStoreConfiguration.Receipts(sharedSecret: Secret("s"))))))
    }

    private static func share(_ first: AppConfiguration, _ second: AppConfiguration) -> Bool {
        let quotas = SharedQuotas([first, second])
        return quotas.quota(of: first) === quotas.quota(of: second)
    }

    @Test func `one credential is one quota`() {
        #expect(Self.share(Self.play("a"), Self.play("b")))
        #expect(!Self.share(Self.play("a"), Self.play("b", key: "another")))
        #expect(Self.share(Self.play("a", client: "c"), Self.play("b", client: "c")))
    }

    @Test func `apps of the App Store have a quota each`() {
        #expect(!Self.share(Self.appStore("a"), Self.appStore("b")))
    }

    @Test func `the owner groups otherwise`() {
        #expect(!Self.share(Self.play("a", quota: "x"), Self.play("b")))
        #expect(Self.share(Self.play("a", quota: "x"), Self.play("b", key: "another", quota: "x")))
        #expect(Self.share(Self.appStore("a", quota: "x"), Self.appStore("b", quota: "x")))
        #expect(!Self.share(Self.play("a", quota: "x"), Self.appStore("b", quota: "x")))
    }

    @Test func `the slowest of those who share is the pace of all`() {
        let apps = [Self.play("a", rate: 20), Self.play("b", rate: 3), Self.play("c", rate: 7)]
        let quotas = SharedQuotas(apps)
        // Google Play serves 3,000 requests a minute.
        let endpoint = Endpoint(name: "any", publishedRate: 50)
        for app in apps {
            let rate = quotas.quota(of: app).withPacer(of: endpoint) { $0.currentRate }
            #expect(abs(rate - 3) < 0.001)
        }
    }

    @Test func `the key is read`() async throws {
        try await ConfigurationFolder.with(
            ConfigurationFolder.good.replacing("    key_id:", with: "    quota: team\n    key_id:")
        ) { folder in
            let configuration = try folder.load().get()
            #expect(configuration.apps.first?.quota == "team")
        }
    }
}
