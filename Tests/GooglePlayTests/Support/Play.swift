// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import HTTP
import Logging
import Model
import Stores
import TestSupport

@testable import GooglePlay

typealias Object = [String: any Sendable]

/// The app, its purchases, and the documents of Google Play about them, to be changed member by member.
enum Play {
    /// 2026-03-10T12:00:00Z, ten days into the period of the samples.
    static let now = time("2026-03-10T12:00:00Z")
    static let base = "GPA.3300-1111-2222-33333"
    static let appID = AppID("acme-android")

    static func time(_ text: String) -> Instant { Instant(iso8601: text) ?? .distantPast }

    static func euros(_ units: Int, cents: Int = 0) -> Object { money("EUR", units, nanos: cents * 10_000_000) }

    /// As proto3 JSON writes it: what is zero is left out.
    static func money(_ currency: String, _ units: Int, nanos: Int = 0) -> Object {
        var money: Object = ["currencyCode": currency]
        if units != 0 { money["units"] = "\(units)" }
        if nanos != 0 { money["nanos"] = nanos }
        return money
    }

    /// A monthly subscription that runs to the 1st of April.
    static func subscription(_ state: String = "ACTIVE", _ changes: [String: (any Sendable)?] = [:]) -> Object {
        changed(
            [
                "kind": "androidpublisher#subscriptionPurchaseV2", "regionCode": "DE",
                "startTime": "2026-03-01T00:00:00Z", "subscriptionState": "SUBSCRIPTION_STATE_\(state)",
                "acknowledgementState": "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED", "etag": "e1", "lineItems": [item()],
            ], changes)
    }

    static func item(_ changes: [String: (any Sendable)?] = [:]) -> Object {
        changed(
            [
                "productId": "gold.month", "expiryTime": "2026-04-01T00:00:00.000Z",
                "latestSuccessfulOrderId": base, "autoRenewingPlan": ["autoRenewEnabled": true] as Object,
                "offerDetails": ["basePlanId": "monthly"] as Object, "offerPhase": ["basePrice": [:] as Object],
            ], changes)
    }

    /// March for 9.99 EUR in Germany, of which 1.60 are tax and 7.13 are the developer's.
    static func order(_ id: String = base, state: String = "PROCESSED", _ changes: [String: (any Sendable)?] = [:])
        -> Object
    {
        changed(
            [
                "orderId": id, "purchaseToken": "token-1", "state": state, "createTime": "2026-03-01T00:00:01Z",
                "lastEventTime": "2026-03-01T00:00:05Z", "salesChannel": "IN_APP",
                "buyerAddress": ["buyerCountry": "AT", "buyerState": "canary-state", "buyerPostcode": "canary-post"],
                "total": euros(9, cents: 99), "tax": euros(1, cents: 60),
                "developerRevenueInBuyerCurrency": euros(7, cents: 13),
                "orderHistory": ["processedEvent": ["eventTime": "2026-03-01T00:00:02.123456789Z"]] as Object,
                "lineItems": [line()],
            ], changes)
    }

    static func order(_ changes: [String: (any Sendable)?]) -> Object { order(base, changes) }

    static func line(_ changes: [String: (any Sendable)?] = [:], phase: String = "baseDetails", offer: String? = nil)
        -> Object
    {
        changed(
            [
                "productId": "gold.month", "total": euros(9, cents: 99), "tax": euros(1, cents: 60),
                "subscriptionDetails": changed(
                    [
                        "basePlanId": "monthly", "offerPhaseDetails": [phase: [:] as Object],
                        "servicePeriodStartTime": "2026-03-01T00:00:00Z",
                        "servicePeriodEndTime": "2026-04-01T00:00:00Z",
                    ], ["offerId": offer]),
            ], changes)
    }

    static func changed(_ object: Object, _ changes: [String: (any Sendable)?]) -> Object {
        var object = object
        for (name, value) in changes { object[name] = value }
        return object
    }

    static func json(_ object: Any) -> String {
        (try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)).map {
            String(decoding: $0, as: UTF8.self)
        } ?? ""
    }

    static func document(_ endpoint: String, _ object: Any) -> StoreAnswer.Document {
        StoreAnswer.Document(endpoint: endpoint, body: Array(json(object).utf8))
    }

    static func due(
        _ token: String = "token-1", product: String? = "gold.month", environment: PurchaseEnvironment? = .production,
        snapshot: SubscriptionSnapshot? = SubscriptionSnapshot(state: .active, lastCheckedAt: now - .days(30)),
        wantsHistory: Bool = false, wantsOnlyRefunds: Bool = false, known: [KnownPeriod] = [],
        awaited: [AwaitedOrder] = []
    ) -> DueSubscription {
        let key = SubscriptionKey(appID: appID, storeKey: token)
        return DueSubscription(
            key: key, lineageKey: key, appID: appID, storeKey: Secret(token), environment: environment, accountID: nil,
            productID: product, country: nil, snapshot: snapshot ?? SubscriptionSnapshot(), historyCursor: nil,
            historyReach: wantsHistory ? .fromCursor : .asNeeded, wantsOnlyRefunds: wantsOnlyRefunds, receipt: nil,
            known: known, awaited: awaited)
    }

    static func known(
        _ id: String = base, start: String = "2026-03-01T00:00:00Z", end: String = "2026-04-01T00:00:00Z",
        refund: RefundKind? = nil, isUpgraded: Bool = false
    ) -> KnownPeriod {
        KnownPeriod(
            PeriodFacts(
                transactionID: id, periodKey: id, productID: "gold.month", purchasedAt: time(start), start: time(start),
                end: time(end), isUpgraded: isUpgraded, priceMicros: 9_990_000, currency: "EUR"), kind: .purchase,
            refund: RefundFacts(at: refund.map { _ in now }, kind: refund))
    }

    static func configuration(
        url: String = "https://play.example", api: GooglePlayConfiguration.API = .v2,
        credentials: GooglePlayConfiguration.Credentials? = nil, tokenURL: String? = nil
    ) -> GooglePlayConfiguration {
        GooglePlayConfiguration(
            appID: appID, packageName: "com.acme.app", api: api,
            credentials: credentials
                ?? .refreshToken(
                    clientID: "client-canary", clientSecret: Secret("secret-canary"),
                    refreshToken: Secret("refresh-canary")),
            tokenURL: tokenURL ?? url + "/token", baseURL: url)
    }

    static func store(
        _ configuration: GooglePlayConfiguration = configuration(), readAt: Instant = now, log: RecordedLog? = nil,
        clock: @escaping @Sendable () -> Instant = { .wallClock }
    ) throws -> any Store {
        configuration.store(
            readAt: readAt,
            tokens: try configuration.tokens(through: client(log: log, attempts: 3), clock: clock), clock: clock)
    }

    /// A client in a hurry.
    static func client(log: RecordedLog? = nil, attempts: Int = 3, maxInFlight: Int = 64) -> ThrottledClient {
        let logger = log?.logger ?? Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return ThrottledClient(
            client: HTTPClient(HTTPClientConfiguration(version: .http1), logger: logger), appID: appID,
            quota: Quota(Pace(requestsPerSecond: 1_000_000, published: 50)), maxInFlight: maxInFlight,
            backoff: Backoff(base: .milliseconds(1), attempts: attempts), budget: SharedRetryBudget(), logger: logger)
    }

    /// Reads an answer of the newer interface.
    static func read(
        _ subscription: Object?, orders: [Object] = [], linked: [Object] = [], due: DueSubscription = due(),
        readAt: Instant = now, api: GooglePlayConfiguration.API = .v2
    ) throws -> Reading {
        let documents =
            (subscription.map { [document("subscription", $0)] } ?? [])
            + linked.map { document("linked_subscription", $0) } + orders.map { document("order", $0) }
        return try store(configuration(api: api), readAt: readAt).read(
            StoreAnswer(
                inquiry: Inquiry(subscriptions: [due]), environment: .production, documents: documents,
                answeredAt: readAt))
    }
}

extension Reading {
    var status: ObservedStatus? { observations.first?.status }
    var periods: [ObservedPeriod] { observations.first?.periods ?? [] }
}

extension Result {
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
