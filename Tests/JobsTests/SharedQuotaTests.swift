// SPDX-License-Identifier: Apache-2.0

import AppStore
import GooglePlay
import HTTP
import Model
import Testing

@testable import Stores
@testable import subledger

/// Whose calls a store counts together: an app at the App Store, a Cloud project at Google Play, or those that the owner named
/// alike; and the names by which all processes know it.
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

    private static func appStore(
        _ id: String, bundleID: String? = nil, environment: PurchaseEnvironment = .production, quota: String? = nil
    ) -> AppConfiguration {
        AppConfiguration(
            id: AppID(id), environment: environment, httpVersion: .http2, requestsPerSecond: 40, quota: quota,
            maxInFlight: 64,
            store: .appStore(
                AppStoreConfiguration(
                    appID: AppID(id), bundleID: bundleID ?? "com.acme.\(id)",
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
        #expect(Self.share(Self.appStore("a", bundleID: "com.acme"), Self.appStore("b", bundleID: "com.acme")))
    }

    @Test func `keys of one Cloud project are one quota`() {
        let (first, second) = (#"{"project_id":"acme","private_key":"1"}"#, #"{"project_id":"acme","private_key":"2"}"#)
        #expect(Self.share(Self.play("a", key: first), Self.play("b", key: second)))
        #expect(!Self.share(Self.play("a", key: first), Self.play("b", key: first.replacing("acme", with: "other"))))
        #expect(Self.share(Self.play("a", client: "77-x.apps"), Self.play("b", client: "77-y.apps")))
    }

    /// RULINGS §8: environment and bundle id; the Cloud project, or the number that a client id begins with; the owner's word.
    @Test func `a quota's name is the same wherever it is derived, and is no part of a secret`() {
        func name(_ app: AppConfiguration) -> String? { SharedQuotas([app]).quota(of: app).name }
        #expect(name(Self.appStore("a", bundleID: "com.acme")) == "app_store production com.acme")
        #expect(name(Self.appStore("b", bundleID: "com.acme")) == "app_store production com.acme")
        #expect(name(Self.appStore("a", bundleID: "com.acme", environment: .sandbox)) == "app_store sandbox com.acme")
        #expect(name(Self.play("a", key: #"{"project_id":"acme","private_key":"1"}"#)) == "google_play project acme")
        #expect(name(Self.play("a", client: "77-x.apps.googleusercontent.com")) == "google_play project 77")
        #expect(name(Self.play("a", quota: "team")) == "google_play quota team")
        // A credential that names no project is named by its apps, not by its secrets.
        let apps = [Self.play("b"), Self.play("a"), Self.play("c", key: "another")]
        #expect(
            apps.map { SharedQuotas(apps).quota(of: $0).name }
                == ["google_play app a", "google_play app a", "google_play app c"])
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
