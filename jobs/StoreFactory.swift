// SPDX-License-Identifier: Apache-2.0

import AppStore
import Foundations
import GooglePlay
import HTTP
import Logging
import Model
import Runs
import Stores

/// Builds each configured app's store: the one place that knows which stores there are.
struct StoreFactory {
    let retryBudget: SharedRetryBudget
    /// The run's logical clock: by it a store that does not date its answers is read.
    let now: Instant
    let logger: Logger
    /// How long a store that is down is waited for.
    private let patience: Span
    private let backoff: Backoff
    private let quotas: SharedQuotas
    private let plan: ClientPlan
    private let clients: SharedClients
    private let credentials = SharedCredentials()

    /// `patience`: how long a store that is down is waited for: not at all by jobs that are run again within minutes.
    ///
    /// `backoff`: how often a request is tried.
    init(
        _ configuration: Configuration, now: Instant, patience: Span = .seconds(0), backoff: Backoff = Backoff(),
        logger: Logger
    ) {
        self.now = now
        self.patience = patience
        self.backoff = backoff
        retryBudget = SharedRetryBudget(RetryBudget(percent: configuration.nightly.retryBudgetPercent))
        quotas = SharedQuotas(configuration.apps.filter { $0.files == .read })
        plan = ClientPlan(configuration.apps)
        clients = SharedClients(plan, logger: logger)
        self.logger = logger
    }

    /// The apps, each with its store and its client.
    ///
    /// An app whose keys cannot be used has a store that refuses, and stops. Throws `UsageError` where that is each of them, or where
    /// this machine has no room for them.
    ///
    /// `workers`: so many chunks are loaded at once, each in a session of its own.
    func apps(_ apps: [AppConfiguration], loading workers: Int = 1) throws(UsageError) -> [StoreApp] {
        try MachineLimits.provide(MachineLimits.Needs(of: Set(apps.map(plan.place)), loading: workers))
        let apps = apps.map(app)
        let refusals = apps.compactMap(\.store.refusal)
        guard refusals.isEmpty || refusals.count < apps.count else { throw UsageError(lines: refusals.map(\.message)) }
        return apps
    }

    /// What is asked while `work` goes on shares the pace of each quota with all processes on the same database.
    func sharingPace<Result>(
        through slices: QuotaSlices, while work: () async throws -> Result
    ) async throws -> Result {
        try await SharedPace(quotas.all, from: slices, logger: logger).lease(while: work)
    }

    /// One of them.
    func app(_ app: AppConfiguration) -> StoreApp {
        let httpClient = clients.client(of: app)
        let store = usableStore(of: app, asking: httpClient)
        let client = ThrottledClient(
            client: httpClient, appID: app.id, quota: quotas.quota(of: app), maxInFlight: app.maxInFlight,
            backoff: backoff, breaker: Breaker(patience: .microseconds(patience.micros)), budget: retryBudget,
            logger: logger)
        return StoreApp(
            id: app.id, environment: app.environment, defaultCountry: app.defaultCountry,
            store: store, client: client, maxInFlight: app.maxInFlight)
    }

    private func usableStore(of app: AppConfiguration, asking httpClient: HTTPClient) -> any Store {
        do throws(StoreFailure) {
            if case .unusable(let problems) = app.files {
                throw StoreFailure(.credential, reason: "key_file", message: problems.joined(separator: "\n"))
            }
            return try store(of: app, asking: httpClient)
        } catch {
            return UnusableStore(of: app.id, at: app.kind, because: error)
        }
    }

    private func store(of app: AppConfiguration, asking httpClient: HTTPClient) throws(StoreFailure) -> any Store {
        switch app.store {
        case .appStore(let configuration):
            return try configuration.store()
        case .googlePlay(let configuration):
            if let retirement = configuration.api.retirement {
                logger.warning("\(retirement)", metadata: ["app": "\(app.id)"])
            }
            let tokens = try credentials.tokens(of: configuration, GoogleCredential(configuration, app)) {
                tokenClient(of: app, httpClient)
            }
            let pubSubTokens = try configuration.pubSubTokens(
                besides: tokens, through: tokenClient(of: app, httpClient))
            return configuration.store(readAt: now, tokens: tokens, pubSubTokens: pubSubTokens)
        }
    }

    /// Access tokens are asked for beside the requests that wait for them, and a few times at most: where none comes, those wait
    /// for the store.
    private func tokenClient(of app: AppConfiguration, _ httpClient: HTTPClient) -> ThrottledClient {
        ThrottledClient(
            client: httpClient, appID: app.id, quota: Quota(Pace(requestsPerSecond: 1, published: 1, burst: 3)),
            maxInFlight: 1, backoff: Backoff(attempts: 3), breaker: Breaker(threshold: .max, patience: .zero),
            budget: retryBudget, logger: logger)
    }
}
