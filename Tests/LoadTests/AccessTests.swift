// SPDX-License-Identifier: Apache-2.0

import Model
import Testing
import TestSupport

/// `access_until`, first rule that fits, with a buffer of one day and an unread limit of three.
@Suite("Until when a customer has access")
struct AccessTests {
    private func at(_ text: String) throws -> Instant { try #require(Instant(iso8601: text)) }

    private func subscription(
        _ state: SubscriptionState, expires: String? = "2026-03-10T12:00:00Z", grace: String? = nil,
        ended: String? = nil, checked: String? = nil, failed: String? = nil, failures: Int = 0
    ) throws -> SubscriptionSnapshot {
        SubscriptionSnapshot(
            state: state, expiresAt: try expires.map { try at($0) }, graceExpiresAt: try grace.map { try at($0) },
            endedAt: try ended.map { try at($0) }, lastCheckedAt: try checked.map { try at($0) },
            lastFailedAt: try failed.map { try at($0) }, failures: failures)
    }

    private func access(_ subscription: SubscriptionSnapshot, at instant: String) throws -> Access {
        Access(of: subscription, policy: AccessPolicy(), at: try at(instant))
    }

    @Test func `revoked: until the revocation, without a buffer`() throws {
        let access = try access(subscription(.revoked, ended: "2026-03-05T09:00:00Z"), at: "2026-03-05T09:00:00Z")
        #expect(access == Access(until: try at("2026-03-05T09:00:00Z"), reason: .revoked))
        #expect(!access.isGranted(at: try at("2026-03-05T09:00:00Z")))
        #expect(access.isGranted(at: try at("2026-03-05T08:59:59Z")))
    }

    @Test func `grace: until its end and the buffer; after a failed check since its end the unread limit`() throws {
        let failing = try subscription(
            .grace, grace: "2026-03-26T12:00:00Z", checked: "2026-03-26T02:00:00Z", failed: "2026-03-27T02:00:00Z",
            failures: 1)
        #expect(
            try access(failing, at: "2026-03-28T00:00:00Z")
                == Access(until: at("2026-03-29T12:00:00Z"), reason: .unread))
        let it = try subscription(
            .grace, grace: "2026-03-26T12:00:00Z", failed: "2026-03-20T02:00:00Z", failures: 2)
        #expect(try access(it, at: "2026-03-20T00:00:00Z") == Access(until: at("2026-03-27T12:00:00Z"), reason: .grace))
        #expect(try access(it, at: "2026-03-27T00:00:00Z").reason == .buffer)
    }

    @Test func `paused: until the expiry`() throws {
        let access = try access(subscription(.paused), at: "2026-03-11T00:00:00Z")
        #expect(access == Access(until: try at("2026-03-10T12:00:00Z"), reason: .paused))
    }

    @Test func `ended by the store's word: until the effective end, without a buffer`() throws {
        let plain = try access(subscription(.expired, ended: "2026-03-10T12:00:00Z"), at: "2026-03-11T00:00:00Z")
        #expect(plain == Access(until: try at("2026-03-10T12:00:00Z"), reason: .ended))
        let unpaid = try access(subscription(.expired, ended: "2026-03-26T12:00:00Z"), at: "2026-04-11T00:00:00Z")
        #expect(unpaid.until == (try at("2026-03-26T12:00:00Z")))
    }

    @Test func `pending: no access`() throws {
        let access = try access(subscription(.pending), at: "2026-03-01T00:00:00Z")
        #expect(access == Access(until: nil, reason: .pending))
        #expect(!access.isGranted(at: .distantPast))
    }

    @Test
    func `the store said active at or after the expiry: that answer and the buffer, or the limit after a failed check`()
        throws
    {
        let it = try subscription(.active, checked: "2026-03-12T02:00:00Z", failed: "2026-03-11T02:00:00Z", failures: 2)
        #expect(
            try access(it, at: "2026-03-12T12:00:00Z") == Access(until: at("2026-03-13T02:00:00Z"), reason: .buffer))
        let failing = try subscription(
            .active, checked: "2026-03-12T02:00:00Z", failed: "2026-03-13T02:00:00Z", failures: 1)
        #expect(
            try access(failing, at: "2026-03-13T12:00:00Z")
                == Access(until: at("2026-03-15T02:00:00Z"), reason: .unread))
    }

    /// Expired on the 10th at noon and not asked since: the buffer ends on the 11th, the limit on the 13th.
    @Test func `no check was made, and no night ended: the limit once the buffer is over, while it lasts`() throws {
        let it = try subscription(.active, checked: "2026-03-09T02:00:00Z")
        let (buffer, limit) = (try at("2026-03-11T12:00:00Z"), try at("2026-03-13T12:00:00Z"))
        for (clock, nights, until): (String, [String], Instant) in [
            ("2026-03-11T11:59:59Z", [], buffer), ("2026-03-11T12:00:00Z", [], limit),
            ("2026-03-13T11:59:59Z", [], limit), ("2026-03-13T12:00:00Z", [], buffer),
            // A night that ended before the expiry, after the clock, and in between.
            ("2026-03-12T00:00:00Z", ["2026-03-10T12:00:00Z"], limit),
            ("2026-03-12T00:00:00Z", ["2026-03-12T02:00:00Z"], limit),
            ("2026-03-12T00:00:00Z", ["2026-03-11T02:00:00Z"], buffer),
        ] {
            let access = Access(
                of: it, policy: AccessPolicy(), at: try at(clock), nights: try nights.map { try at($0) })
            #expect(access == Access(until: until, reason: until == limit ? .unread : .buffer), "\(clock) \(nights)")
        }
    }

    @Test func `a failed check since the expiry: the unread limit, for a failed read is no expiry`() throws {
        let it = try subscription(
            .active, checked: "2026-03-09T11:00:00Z", failed: "2026-03-10T12:00:00Z", failures: 1)
        #expect(
            try access(it, at: "2026-03-12T00:00:00Z") == Access(until: at("2026-03-13T12:00:00Z"), reason: .unread))
        let unreachable = try subscription(.unreachable, checked: "2026-03-09T11:00:00Z", failures: 5)
        #expect(try access(unreachable, at: "2026-03-12T00:00:00Z").until == at("2026-03-13T12:00:00Z"))
    }

    /// The night before the expiry failed, and the one after it has not been yet, or was never asked for.
    @Test func `a failed check before the expiry only: the buffer, for no check was made since`() throws {
        let it = try subscription(
            .active, checked: "2026-03-09T02:00:00Z", failed: "2026-03-10T02:00:00Z", failures: 2)
        #expect(
            try access(it, at: "2026-03-11T00:00:00Z") == Access(until: at("2026-03-11T12:00:00Z"), reason: .buffer))
        let imported = try Access(
            of: subscription(.unverified, failed: "2026-03-10T11:59:59Z", failures: 1), policy: AccessPolicy(),
            at: at("2026-03-12T00:00:00Z"), nights: [at("2026-03-11T02:00:00Z")])
        #expect(imported.until == (try at("2026-03-11T12:00:00Z")))
    }

    @Test func `a failed check gives nothing back that the store said was not paid`() throws {
        let it = try subscription(
            .billingRetry, checked: "2026-03-10T20:00:00Z", failed: "2026-03-11T14:00:00Z", failures: 1)
        let access = try access(it, at: "2026-03-12T00:00:00Z")
        #expect(access == Access(until: try at("2026-03-11T12:00:00Z"), reason: .billingRetry))
    }

    @Test func `everything else, billing retry included: the expiry and the buffer`() throws {
        let until = try at("2026-03-11T12:00:00Z")
        let active = try subscription(.active, checked: "2026-03-01T00:00:00Z")
        #expect(try access(active, at: "2026-03-09T00:00:00Z") == Access(until: until, reason: .active))
        #expect(try access(active, at: "2026-03-10T12:00:00Z") == Access(until: until, reason: .buffer))
        let trial = try subscription(.trial, checked: "2026-03-01T00:00:00Z")
        #expect(try access(trial, at: "2026-03-09T00:00:00Z") == Access(until: until, reason: .trial))
        let retry = try subscription(.billingRetry, checked: "2026-03-10T20:00:00Z")
        #expect(try access(retry, at: "2026-03-11T00:00:00Z") == Access(until: until, reason: .billingRetry))
    }

    @Test
    func `never answered: the imported expiry and buffer, or nothing; after a failed check the unread limit`() throws {
        let imported = try access(subscription(.unverified), at: "2026-03-10T13:00:00Z")
        #expect(imported == Access(until: try at("2026-03-11T12:00:00Z"), reason: .unverified))
        #expect(try access(subscription(.unverified, expires: nil), at: "2026-03-10T13:00:00Z").until == nil)
        let failing = try access(
            subscription(.unverified, failed: "2026-03-10T20:00:00Z", failures: 1), at: "2026-03-12T00:00:00Z")
        #expect(failing.until == (try at("2026-03-13T12:00:00Z")))
    }

    @Test func `the buffer and the unread limit are the owner's`() throws {
        let policy = AccessPolicy(buffer: .hours(2), unreadLimit: .days(10))
        let retry = try subscription(.billingRetry, checked: "2026-03-10T20:00:00Z")
        #expect(Access(of: retry, policy: policy, at: .distantPast).until == (try at("2026-03-10T14:00:00Z")))
        let unread = try subscription(
            .active, checked: "2026-03-01T00:00:00Z", failed: "2026-03-11T02:00:00Z", failures: 1)
        #expect(Access(of: unread, policy: policy, at: .distantPast).until == (try at("2026-03-20T12:00:00Z")))
    }
}
