// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

/// The table of when a subscription is asked about next, line by line.
///
/// The run's now is 2026-03-10 02:00 UTC; a night is 18 hours, so "the next night" is 20:00 the same day.
@Suite("When a subscription is asked about next")
struct NextCheckTests {
    private func check(
        _ store: StoreKind, _ state: SubscriptionState, autoRenew: Bool? = true, expires: String? = nil,
        effectiveEnd: String? = nil, resumes: String? = nil, start: String? = nil, registered: String? = nil
    ) throws -> NextCheck {
        let situation = NextCheck.Situation(
            store: store, state: state, autoRenew: autoRenew, expiresAt: try expires.map { try at($0) },
            effectiveEnd: try effectiveEnd.map { try at($0) }, resumesAt: try resumes.map { try at($0) },
            periodStart: try start.map { try at($0) }, registeredAt: try registered.map { try at($0) })
        return NextCheck.after(situation, now: try at("2026-03-10T02:00:00Z"))
    }

    private func expect(
        _ check: NextCheck, _ instant: String?, _ reason: NextCheck.Reason,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(check.at?.iso8601 == instant, sourceLocation: location)
        #expect(check.reason == reason, sourceLocation: location)
    }

    @Test(arguments: [SubscriptionState.active, .trial])
    func `App Store, auto-renew on: a day before the expiry`(state: SubscriptionState) throws {
        let check = try check(.appStore, state, expires: "2026-04-01T10:05:00Z")
        expect(check, "2026-03-31T10:05:00Z", .beforeExpiry)
    }

    @Test func `App Store, auto-renew on, inside the last day without the renewal: at the expiry`() throws {
        let inside = try check(.appStore, .active, expires: "2026-03-11T01:59:59Z")
        expect(inside, "2026-03-11T01:59:59Z", .atExpiry)
        let exactly = try check(.appStore, .active, expires: "2026-03-11T02:00:00Z")
        expect(exactly, "2026-03-11T02:00:00Z", .atExpiry)
    }

    @Test func `App Store past the expiry without the renewal: nightly`() throws {
        let check = try check(.appStore, .active, expires: "2026-03-10T01:00:00Z")
        expect(check, "2026-03-10T20:00:00Z", .nightly)
    }

    @Test func `App Store, auto-renew off: at the expiry`() throws {
        let check = try check(.appStore, .active, autoRenew: false, expires: "2026-04-01T10:05:00Z")
        expect(check, "2026-04-01T10:05:00Z", .atExpiry)
    }

    @Test(arguments: [true, false])
    func `Play active, trial or cancelled: at the expiry`(autoRenew: Bool) throws {
        for state in [SubscriptionState.active, .trial] {
            let check = try check(.googlePlay, state, autoRenew: autoRenew, expires: "2026-04-01T10:05:00Z")
            expect(check, "2026-04-01T10:05:00Z", .atExpiry)
        }
    }

    @Test func `Play active past its expiry: the next night`() throws {
        let check = try check(.googlePlay, .active, expires: "2026-03-09T23:00:00Z")
        expect(check, "2026-03-10T20:00:00Z", .nightly)
    }

    @Test(arguments: StoreKind.allCases)
    func `grace: the next night`(store: StoreKind) throws {
        let check = try check(store, .grace, expires: "2026-03-08T00:00:00Z")
        expect(check, "2026-03-10T20:00:00Z", .nightly)
    }

    @Test func `retry and account hold: nightly to day 28 after the effective end, every second night after`() throws {
        let day28 = try check(.appStore, .billingRetry, effectiveEnd: "2026-02-10T02:00:00Z")
        expect(day28, "2026-03-10T20:00:00Z", .nightly)
        let later = try check(.appStore, .billingRetry, effectiveEnd: "2026-02-10T01:59:59Z")
        expect(later, "2026-03-11T20:00:00Z", .everySecondNight)
    }

    @Test func `retry counts from the end of the grace, not from the expiry before it`() throws {
        let check = try check(
            .appStore, .billingRetry, expires: "2026-02-01T00:00:00Z", effectiveEnd: "2026-02-17T00:00:00Z")
        expect(check, "2026-03-10T20:00:00Z", .nightly)
    }

    @Test func `the App Store's retry is over on day 61; Play's account hold ends by its state only`() throws {
        let now = try at("2026-03-10T02:00:00Z")
        let day61 = try at("2026-01-08T02:00:00Z")
        #expect(NextCheck.isRetryOver(store: .appStore, since: day61, now: now))
        #expect(!NextCheck.isRetryOver(store: .appStore, since: day61 + .seconds(1), now: now))
        #expect(!NextCheck.isRetryOver(store: .googlePlay, since: .distantPast, now: now))
    }

    @Test func `paused: the instant it resumes, else 7 days`() throws {
        let known = try check(.googlePlay, .paused, resumes: "2026-05-01T00:00:00Z")
        expect(known, "2026-05-01T00:00:00Z", .atResume)
        expect(try check(.googlePlay, .paused), "2026-03-17T02:00:00Z", .weekly)
    }

    @Test func `pending: nightly for 7 days, then weekly`() throws {
        let young = try check(.googlePlay, .pending, registered: "2026-03-03T02:00:00Z")
        expect(young, "2026-03-10T20:00:00Z", .nightly)
        let old = try check(.googlePlay, .pending, registered: "2026-03-03T01:59:59Z")
        expect(old, "2026-03-17T02:00:00Z", .weekly)
    }

    @Test(arguments: [SubscriptionState.expired, .revoked])
    func `expired and revoked: never`(state: SubscriptionState) throws {
        expect(try check(.appStore, state, expires: "2026-03-01T00:00:00Z"), nil, .never)
    }

    @Test func `B10: a period shorter than a day: every run`() throws {
        let check = try check(
            .appStore, .active, expires: "2026-03-10T02:05:00Z", start: "2026-03-10T02:00:00Z")
        expect(check, "2026-03-10T02:00:00Z", .everyRun)
        let day = try self.check(.appStore, .active, expires: "2026-03-11T00:00:00Z", start: "2026-03-10T00:00:00Z")
        #expect(day.reason == .atExpiry)
    }

    @Test(arguments: SubscriptionState.allCases)
    func `B10: a period shorter than a day that ended within the last day: every run`(state: SubscriptionState) throws {
        let young = try check(.appStore, state, expires: "2026-03-09T02:00:01Z", start: "2026-03-09T01:55:01Z")
        expect(young, "2026-03-10T02:00:00Z", .everyRun)
        let old = try check(.appStore, state, expires: "2026-03-09T02:00:00Z", start: "2026-03-09T01:55:00Z")
        #expect(old.reason != .everyRun)
        #expect((old.at == nil) == state.isEnded)
    }

    @Test(arguments: [1, 3, 40])
    func `a failed check for a passing reason: at once, for the next run, however often`(failures: Int) throws {
        let now = try at("2026-03-10T02:00:00Z")
        expect(.afterFailure(.transient, failures: failures, now: now), "2026-03-10T02:00:00Z", .failed)
    }

    @Test func `not found: nightly, weekly from the third failing night on`() throws {
        let now = try at("2026-03-10T02:00:00Z")
        expect(.afterFailure(.notFound, failures: 1, now: now), "2026-03-10T20:00:00Z", .notFound)
        expect(.afterFailure(.notFound, failures: 2, now: now), "2026-03-10T20:00:00Z", .notFound)
        expect(.afterFailure(.notFound, failures: 3, now: now), "2026-03-17T02:00:00Z", .unreachable)
        expect(.afterFailure(.gone, failures: 1, now: now), "2026-03-17T02:00:00Z", .unreachable)
        expect(try check(.appStore, .unreachable), "2026-03-17T02:00:00Z", .weekly)
    }
}
