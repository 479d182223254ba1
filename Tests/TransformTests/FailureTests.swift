// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing
import Transform

@Suite("Failed checks")
struct FailureTests {
    private let now = day(40)

    private func failed(
        _ kind: StoreFailure.Kind, _ snapshot: SubscriptionSnapshot, reason: NextCheck.Reason? = nil
    ) -> ChunkRows {
        let stage = TransformStage(
            store: AnsweredStore(reading: .success(reading())), now: now, defaultCountry: nil)
        var rows = ChunkRows()
        stage.failure(
            StoreFailure(kind, reason: "http_500", message: "The store did not answer."),
            of: Inquiry(subscriptions: [due(snapshot, reason: reason)]), into: &rows)
        return rows
    }

    private func snapshot(
        _ state: SubscriptionState, expires: Int64 = 30, failures: Int = 0, failed: Instant? = nil,
        reason: EndReason? = nil
    ) -> SubscriptionSnapshot {
        SubscriptionSnapshot(
            state: state, expiresAt: day(expires), endReason: reason, lastFailedAt: failed, failures: failures)
    }

    @Test(arguments: [0, 9])
    func `B11: a passing failure is asked again next run, and nothing is booked as expired`(failures: Int) throws {
        let rows = failed(.transient, snapshot(.active, failures: failures))
        let check = try #require(rows.failures.first)
        #expect(check.key == lineKey)
        #expect(check.failures == failures + 1)
        #expect(check.nextCheck == NextCheck(at: now, reason: .failed))
        #expect(check.newState == nil)
        #expect(rows.subscriptions.isEmpty && rows.transactions.isEmpty && rows.setAside.isEmpty)
    }

    @Test func `runs again within the same night are no further failing nights: an unknown id has its three`() {
        let outage = failed(.transient, snapshot(.active, failed: now - .hours(2)))
        #expect(outage.failures.map(\.failures) == [1])
        let again = failed(.transient, snapshot(.active, failures: 1, failed: now - .hours(1)))
        #expect(again.failures.map(\.failures) == [1])
        let unknown = failed(.notFound, snapshot(.active, failures: 1, failed: now - .hours(2)))
        #expect(unknown.failures.map(\.failures) == [1] && unknown.setAside.isEmpty)
        let nextNight = failed(.transient, snapshot(.active, failures: 1, failed: now - .hours(18)))
        #expect(nextNight.failures.map(\.failures) == [2])
    }

    /// Schedules start a night at 02:15 and again until 10:15: the last failure of a date is sixteen hours before the first of the next.
    @Test func `a failing night is one business date's, however late the last run of the date before was`() {
        // 02:00 UTC, and 10:00 of the day before.
        let first = day(40) - .hours(8)
        let stage = { (now: Instant, zone: ReportTimeZone) in
            TransformStage(
                store: AnsweredStore(reading: .success(reading())), now: now, defaultCountry: nil, timeZone: zone)
        }
        var before = snapshot(.active, failures: 1, failed: first - .hours(16))
        (before.refusals, before.lastRefusedAt) = (1, first - .hours(16))
        let failures = { (now: Instant, zone: ReportTimeZone) -> [[Int]] in
            var rows = ChunkRows()
            stage(now, zone).failure(
                StoreFailure(.refusedForNow, reason: "status_21002", message: "Again, it says."),
                of: Inquiry(subscriptions: [due(before)]), into: &rows)
            return rows.failures.map { [$0.failures, $0.refusals] }
        }
        #expect(failures(first, .utc) == [[2, 2]])
        #expect(failures(first - .hours(6), .utc) == [[1, 1]])
        // In Tokyo 20:00 UTC is the next day already.
        let tokyo = ReportTimeZone(named: "Asia/Tokyo") ?? .utc
        #expect(failures(first - .hours(6), tokyo) == [[2, 2]])
    }

    /// The first run of a night met nothing but a failure that may pass, a later one of the same date the store's refusal.
    @Test func `a night on which it was refused counts, whatever failed earlier that night`() {
        var before = snapshot(.active, failures: 2, failed: now - .hours(2))
        (before.refusals, before.lastRefusedAt) = (1, now - .days(1))
        #expect(failed(.refusedForNow, before).failures.map(\.refusals) == [2])
        before.lastRefusedAt = now - .hours(1)
        #expect(failed(.refusedForNow, before).failures.map(\.refusals) == [1])
    }

    @Test func `what was to be looked at besides the state is looked at when an outage is over`() {
        for reason in [NextCheck.Reason.refundNotified, .linked] {
            let rows = failed(.transient, snapshot(.active), reason: reason)
            #expect(rows.failures.map(\.nextCheck) == [NextCheck(at: now, reason: reason)])
        }
        let reported = failed(.transient, snapshot(.active), reason: .notified)
        #expect(reported.failures.map(\.nextCheck.reason) == [.failed])
    }

    @Test func `what was out of reach before is nothing new`() {
        #expect(failed(.notFound, snapshot(.unreachable, failures: 3)).failures.map(\.wasUnreachable) == [true])
        #expect(failed(.notFound, snapshot(.active, failures: 2)).failures.map(\.wasUnreachable) == [false])
    }

    @Test func `the third night of an unknown id is a dead letter, once, and weekly from then on`() {
        let second = failed(.notFound, snapshot(.active, failures: 1))
        #expect(second.setAside.isEmpty)
        #expect(second.failures.map(\.newState) == [nil])
        #expect(second.failures.map(\.nextCheck) == [NextCheck(at: now + .hours(18), reason: .notFound)])
        let third = failed(.notFound, snapshot(.active, failures: 2))
        #expect(third.setAside.map(\.stage) == ["fetch"])
        #expect(third.failures.map(\.newState) == [.unreachable])
        #expect(third.failures.map(\.endReason) == [nil])
        #expect(third.failures.map(\.nextCheck) == [NextCheck(at: now + .days(7), reason: .unreachable)])
        let fourth = failed(.notFound, snapshot(.unreachable, failures: 3))
        #expect(fourth.setAside.isEmpty)
        #expect(fourth.failures.map(\.nextCheck) == [NextCheck(at: now + .days(7), reason: .unreachable)])
    }

    @Test(arguments: [StoreFailure.Kind.gone])
    func `what has ended is not made unreachable by a store that forgot it`(kind: StoreFailure.Kind) {
        let checks =
            failed(kind, snapshot(.expired)).failures + failed(.notFound, snapshot(.revoked, failures: 2)).failures
        #expect(checks.map(\.newState) == [nil, nil])
        #expect(checks.map(\.nextCheck) == [NextCheck(at: nil, reason: .never), NextCheck(at: nil, reason: .never)])
    }

    @Test(arguments: [SubscriptionState.active, .trial])
    func `a 410 after the expiry of what was running: expired at its expiry`(state: SubscriptionState) {
        let checks = failed(.gone, snapshot(state)).failures
        #expect(checks.map(\.newState) == [.expired])
        #expect(checks.map(\.endedAt) == [day(30)])
        #expect(checks.map(\.endReason) == [.unknown])
        #expect(checks.map(\.nextCheck) == [NextCheck(at: nil, reason: .never)])
        #expect(failed(.gone, snapshot(state, reason: .price)).failures.map(\.endReason) == [.price])
    }

    @Test func `a 410 of anything else: unreachable, never a churn reason`() {
        for last in [snapshot(.active, expires: 50), snapshot(.billingRetry), snapshot(.grace), snapshot(.unverified)] {
            let checks = failed(.gone, last).failures
            #expect(checks.map(\.newState) == [.unreachable])
            #expect(checks.map(\.endReason) == [nil])
            #expect(checks.map(\.endedAt) == [nil])
            #expect(checks.map(\.nextCheck.at) == [now + .days(7)])
        }
    }

    @Test func `B11: an answer that cannot be trusted is set aside and asked again`() {
        let rows = failed(.unreadable, snapshot(.active))
        #expect(rows.setAside.map(\.stage) == ["fetch"])
        #expect(rows.failures.map(\.nextCheck.reason) == [.failed])
        #expect(rows.failures.map(\.newState) == [nil])
    }

    /// Ended, and the answers show nothing but a row that cannot be taken: asked as long as that row is looked for.
    @Test(arguments: [(10, 47), (59, nil)] as [(Int64, Int64?)])
    func `what has ended is asked for a row that was set aside for sixty days`(since: Int64, next: Int64?) {
        let plain = due(snapshot(.expired, failures: 5))
        let row = RowSetAside(
            transactionID: "T1", reason: "negative_price", detail: "Below nothing.", nights: 5,
            since: now - .days(since), lastLookAt: now - .days(7))
        let asked = DueSubscription(
            key: plain.key, lineageKey: plain.key, appID: app, storeKey: line, environment: .production,
            accountID: nil, productID: nil, country: nil, snapshot: plain.snapshot, historyCursor: nil, receipt: nil,
            known: [], rowsSetAside: [row], looksForRowsSetAside: true)
        var reported = reading()
        reported.setAside = [
            RefusedRow(storeKey: line, reason: "negative_price", detail: "Below nothing.", transactionID: "T1")
        ]
        let rows = rows(reported, for: [asked], now: now)
        #expect(rows.failures.map(\.nextCheck.at) == [next.map { day($0) }])
        #expect(rows.failures.map(\.nextCheck.reason) == [next == nil ? .never : .setAside])
    }

    /// The next release may read it.
    @Test func `what has ended and cannot be read is asked by the week`() {
        let unreadable = UnreadableAnswer(reason: "malformed_json", message: "The answer is not JSON.")
        let store = AnsweredStore(reading: .failure(unreadable))
        let inquiry = Inquiry(subscriptions: [due(snapshot(.expired, failures: 5))])
        let answer = StoreAnswer(inquiry: inquiry, environment: .production, documents: [], answeredAt: nil)
        var rows = ChunkRows()
        TransformStage(store: store, now: now, defaultCountry: nil)
            .rows(for: ReadAnswer(answer, by: store), into: &rows)
        #expect(rows.failures.map(\.nextCheck.at) == [now + .days(7)])
        #expect(rows.failures.map(\.nextCheck.reason) == [.setAside])
    }

    @Test(arguments: [StoreFailure.Kind.credential, .storeDown])
    func `what stops a whole app says nothing about a subscription`(kind: StoreFailure.Kind) {
        #expect(failed(kind, snapshot(.active)).failures.isEmpty)
    }

    @Test func `an answer that cannot be read sets every subscription of the question aside, and books nothing`() {
        let store = AnsweredStore(
            reading: .failure(UnreadableAnswer(reason: "malformed_json", message: "The answer is not JSON.")))
        let stage = TransformStage(store: store, now: now, defaultCountry: nil)
        var rows = ChunkRows()
        let inquiry = Inquiry(subscriptions: [due(), due(of: Secret("2"))])
        let answer = StoreAnswer(inquiry: inquiry, environment: .production, documents: [], answeredAt: nil)
        stage.rows(for: ReadAnswer(answer, by: store), into: &rows)
        #expect(rows.setAside.map(\.reason) == ["malformed_json", "malformed_json"])
        #expect(rows.setAside.map(\.stage) == ["transform", "transform"])
        #expect(rows.failures.map(\.nextCheck.reason) == [.failed, .failed])
        #expect(rows.subscriptions.isEmpty && rows.transactions.isEmpty && rows.answers.isEmpty)
    }

    @Test func `an answer without the subscription it was asked for leaves it as it was, to be asked again`() {
        let rows = rows(reading(), for: [due(snapshot(.active))], now: now)
        #expect(rows.subscriptions.isEmpty)
        #expect(rows.failures.map(\.reason) == ["not_in_answer"])
        #expect(rows.failures.map(\.newState) == [nil])
    }
}
