// SPDX-License-Identifier: Apache-2.0

import AppStore
import HTTP
import Logging
import Model
import Pipeline
import Stores

/// Builds each configured app's store: the one place that knows which stores there are.
struct StoreFactory {
    /// A store, and the rate it publishes for one app.
    typealias Built = (store: any Store, publishedRate: Double)

    let retryBudget: SharedRetryBudget
    let logger: Logger

    init(_ configuration: Configuration, logger: Logger) {
        retryBudget = SharedRetryBudget(RetryBudget(percent: configuration.nightly.retryBudgetPercent))
        self.logger = logger
    }

    /// The app with its store and its conversation. Throws `UsageError` where a key cannot be used.
    func app(_ app: AppConfiguration) throws(UsageError) -> NightlyApp {
        let built = try store(of: app)
        let client = HTTPClient(
            HTTPClientConfiguration(
                version: app.httpVersion, certificateAuthorityFile: app.authorityFile,
                maximumConcurrentStreams: app.maxInFlight),
            logger: logger)
        let conversation = Conversation(
            client: client, appID: app.id,
            pace: Pace(requestsPerSecond: app.requestsPerSecond, published: built.publishedRate),
            maxInFlight: app.maxInFlight, budget: retryBudget, logger: logger)
        return NightlyApp(
            id: app.id, kind: app.kind, environment: app.environment, defaultCountry: app.defaultCountry,
            store: built.store, conversation: conversation, maxInFlight: app.maxInFlight)
    }

    private func store(of app: AppConfiguration) throws(UsageError) -> Built {
        do throws(StoreFailure) {
            switch app.store {
            case .appStore(let settings):
                return (
                    try AppStoreConfiguration(app, settings).store(), AppStoreConfiguration.publishedRequestsPerSecond
                )
            case .googlePlay:
                throw StoreFailure(
                    .credential, reason: "not_in_this_version", message: "google_play comes with the next release")
            }
        } catch {
            throw UsageError("subledger: app \(app.id): \(error.message)")
        }
    }
}

extension AppStoreConfiguration {
    fileprivate init(_ app: AppConfiguration, _ settings: AppStoreSettings) {
        let api: API
        switch settings.api {
        case .server(let it):
            var server = Server(
                issuerID: it.issuerID, keyID: it.keyID, privateKey: it.privateKey,
                rootCertificate: it.rootCertificate)
            server.productionURL = it.productionURL ?? server.productionURL
            server.sandboxURL = it.sandboxURL ?? server.sandboxURL
            api = .server(server)
        case .verifyReceipt(let it):
            var receipts = Receipts(sharedSecret: it.sharedSecret)
            receipts.productionURL = it.productionURL ?? receipts.productionURL
            receipts.sandboxURL = it.sandboxURL ?? receipts.sandboxURL
            api = .verifyReceipt(receipts)
        }
        self.init(
            appID: app.id, bundleID: settings.bundleID, appAppleID: settings.appAppleID, environment: app.environment,
            api: api, defaultCountry: app.defaultCountry)
    }
}
