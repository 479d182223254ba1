// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Stores
import Transform

/// Days after 2026-01-01 10:00 UTC, the first purchase of most histories here.
func day(_ days: Int64, _ more: Span = .zero) -> Instant {
    Instant(micros: 1_767_261_600_000_000) + .days(days) + more
}

let app = AppID("acme-ios")
let line = Secret("1000000481802759")
let lineKey = SubscriptionKey(7_928_393_119_289_343_153)

/// A store that has already answered: its readings are data, and nothing behaves.
struct AnsweredStore: Store {
    var appID = app
    var kind = StoreKind.appStore
    var refundWatchDays: [Int64] = []
    var reading: Result<Reading, UnreadableAnswer>

    func inquiries(for due: [DueSubscription]) -> [Inquiry] { due.map { Inquiry(subscriptions: [$0]) } }

    func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer {
        StoreAnswer(inquiry: inquiry, environment: .production, documents: [], answeredAt: nil)
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading { try reading.get() }
}

/// A monthly period of 9.99 USD that starts on that day, numbered by it.
func period(
    _ start: Int64, days: Int64 = 30, id: String? = nil, product: String = "monthly", price: Int64? = 9_990_000,
    free: Bool = false, hint: ObservedPeriod.Hint? = nil, refund: ObservedPeriod.Refund? = nil, upgraded: Bool = false,
    after: Span = .zero, version: Instant = day(0), original: String = line.reveal()
) -> ObservedPeriod {
    let name = id ?? "T\(start)"
    return ObservedPeriod(
        PeriodFacts(
            transactionID: name, periodKey: "P" + name, productID: product, purchasedAt: day(start, after),
            start: day(start, after), end: day(start + days), isUpgraded: upgraded, priceMicros: free ? 0 : price,
            currency: price == nil ? nil : "USD"),
        SaleFacts(
            originalTransactionID: original, priceSource: price == nil ? .missing : .storePrice, sourceVersion: version),
        isFreeOffer: free, refund: refund, hint: hint)
}

/// A month that a bundle includes: access without a price of its own.
func included(_ start: Int64) -> ObservedPeriod {
    var month = period(start, price: nil)
    (month.sale.ownership, month.sale.bundleTransactionID) = (.assigned, "B\(start)")
    return month
}

func trial(_ start: Int64, days: Int64 = 7) -> ObservedPeriod { period(start, days: days, free: true) }

func observation(
    _ periods: [ObservedPeriod], _ status: ObservedStatus? = nil, of storeKey: Secret = line, cursor: String? = nil
) -> Observation {
    Observation(
        storeKey: storeKey, environment: .production, status: status, periods: periods, historyCursor: cursor)
}

func status(
    _ state: SubscriptionState?, expires: Int64? = nil, grace: Int64? = nil, reason: EndReason? = nil,
    revoked: Int64? = nil, autoRenew: Bool? = true, raw: String? = nil, version: Instant
) -> ObservedStatus {
    ObservedStatus(
        state: state, raw: raw, productID: "monthly", autoRenew: autoRenew, expiresAt: expires.map { day($0) },
        graceExpiresAt: grace.map { day($0) }, endReason: reason, revokedAt: revoked.map { day($0) },
        sourceVersion: version)
}

func due(
    _ snapshot: SubscriptionSnapshot = SubscriptionSnapshot(), known: [KnownPeriod] = [], of storeKey: Secret = line,
    country: String? = nil, receipt: Receipt? = nil, wantsHistory: Bool = false, cursor: String? = nil,
    reason: NextCheck.Reason? = nil, refundReports: RefundReports = RefundReports()
) -> DueSubscription {
    let key = SubscriptionKey(appID: app, storeKey: storeKey.reveal())
    return DueSubscription(
        key: key, lineageKey: key, appID: app, storeKey: storeKey, environment: .production, accountID: "account",
        productID: nil, country: country, snapshot: snapshot, historyCursor: cursor,
        historyReach: wantsHistory ? .fromCursor : .asNeeded,
        receipt: receipt, known: known, reason: reason, refundReports: refundReports)
}

/// The rows of one answer, settled as a chunk of its own.
func rows(
    _ reading: Reading, for subscriptions: [DueSubscription] = [due()], now: Instant, watch: [Int64] = [],
    kind: StoreKind = .appStore, defaultCountry: String? = nil, levels: ProductLevels = [:]
) -> ChunkRows {
    let store = AnsweredStore(kind: kind, refundWatchDays: watch, reading: .success(reading))
    let stage = TransformStage(store: store, now: now, defaultCountry: defaultCountry, levels: levels)
    var rows = ChunkRows()
    let inquiry = Inquiry(subscriptions: subscriptions)
    let answer = StoreAnswer(inquiry: inquiry, environment: .production, documents: [], answeredAt: now)
    stage.rows(for: ReadAnswer(answer, by: store), into: &rows)
    rows.deduplicate()
    return rows
}

func reading(_ observations: Observation...) -> Reading {
    Reading(
        observations: observations,
        archive: [ArchivedDocument(endpoint: "statuses", body: "{}", answerHash: "hash-1")])
}
