// SPDX-License-Identifier: Apache-2.0

import Model
import Testing
import TestSupport

@testable import AppStore

/// The table of B2, from the documents of both interfaces to booked rows.
///
/// The subscription was bought on 1 March 2026 for 31 days; days are counted from then.
@Suite struct GoldenCaseTests {
    typealias NightReport = AppleNights.NightReport

    private static let march = (id: "2001", start: Int64(0), end: Int64(31))
    private static let april = (id: "2002", start: Int64(31), end: Int64(61))

    private static func bought(_ interface: AppleNights.Interface) throws -> AppleNights {
        var nights = AppleNights(interface)
        try nights.night(1, NightReport(periods: [march], status: 1))
        #expect(nights.booked == ["0 purchase 31"])
        #expect(nights.snapshot.state == .active)
        // A day before the expiry of day 31.
        #expect(nights.nextCheck == NextCheck(at: AppleNights.day(30), reason: .beforeExpiry))
        return nights
    }

    @Test(arguments: AppleNights.Interface.allCases)
    func `B2: renewed: an unknown transaction with a later expiry is booked`(interface: AppleNights.Interface) throws {
        var nights = try Self.bought(interface)
        // In the last day, and not renewed yet: asked again at the expiry.
        try nights.night(30, NightReport(periods: [Self.march], status: 1))
        #expect(nights.booked == ["0 purchase 31"])
        #expect(nights.nextCheck == NextCheck(at: AppleNights.day(31), reason: .atExpiry))
        try nights.night(31, NightReport(periods: [Self.march, Self.april], status: 1))
        #expect(nights.booked == ["0 purchase 31", "31 renewal 61"])
        #expect(nights.snapshot.state == .active)
        #expect(nights.nextCheck == NextCheck(at: AppleNights.day(60), reason: .beforeExpiry))
        // The same answer again books nothing more.
        try nights.night(32, NightReport(periods: [Self.march, Self.april], status: 1))
        #expect(nights.booked == ["0 purchase 31", "31 renewal 61"])
    }

    /// The store tries to be paid from day 31 on: nightly to day 59 (28 days), every second night after, and on the 61st
    /// day it is over, whatever the store still calls it.
    @Test(arguments: AppleNights.Interface.allCases)
    func `B2: not yet, may still: nightly, then every second night, and closed after 60 days`(
        interface: AppleNights.Interface
    ) throws {
        var nights = try Self.bought(interface)
        let retry = NightReport(periods: [Self.march], status: 3, intent: 2)
        for (day, reason, wait) in [
            (31, .nightly, 18), (58, .nightly, 18), (60, .everySecondNight, 42), (91, .everySecondNight, 42),
        ] as [(Int64, NextCheck.Reason, Int64)] {
            try nights.night(day, retry)
            #expect(nights.snapshot.state == .billingRetry, "day \(day)")
            #expect(
                nights.nextCheck == NextCheck(at: AppleNights.day(day, hours: 2 + wait), reason: reason), "day \(day)")
            #expect(nights.snapshot.endReason == nil)
        }
        try nights.night(92, retry)
        #expect(nights.snapshot.state == .expired)
        #expect(nights.snapshot.endReason == .involuntary)
        #expect(nights.snapshot.endedAt == AppleNights.day(31))
        #expect(nights.nextCheck == NextCheck(at: nil, reason: .never))
        #expect(nights.booked == ["0 purchase 31"])
    }

    @Test(arguments: AppleNights.Interface.allCases)
    func `B2: grace is asked every night, and paid within it the date stays`(interface: AppleNights.Interface) throws {
        var nights = try Self.bought(interface)
        try nights.night(31, NightReport(periods: [Self.march], status: 4, intent: 2, graceEnd: 47))
        #expect(nights.snapshot.state == .grace)
        #expect(nights.snapshot.graceExpiresAt == AppleNights.day(47))
        #expect(nights.nextCheck == NextCheck(at: AppleNights.day(31, hours: 20), reason: .nightly))
        try nights.night(36, NightReport(periods: [Self.march, Self.april], status: 1))
        #expect(nights.booked == ["0 purchase 31", "31 renewal 61"])
        #expect(nights.snapshot.graceExpiresAt == nil)
    }

    @Test(
        arguments: AppleNights.Interface.allCases,
        [(1, .voluntary), (2, .involuntary), (3, .price), (4, .product), (5, .unknown)] as [(Int, EndReason)])
    func `B2: ended: expired without a retry is closed with its reason, and a later purchase reopens it`(
        interface: AppleNights.Interface, intent: (number: Int, reason: EndReason)
    ) throws {
        var nights = try Self.bought(interface)
        try nights.night(
            31, NightReport(periods: [Self.march], status: 2, autoRenew: intent.number != 1, intent: intent.number))
        #expect(nights.snapshot.state == .expired)
        #expect(nights.snapshot.endReason == intent.reason)
        #expect(nights.snapshot.endedAt == AppleNights.day(31))
        #expect(nights.nextCheck == NextCheck(at: nil, reason: .never))
        // Months later, under the same original transaction id.
        let again = (id: "2009", start: Int64(150), end: Int64(180))
        try nights.night(151, NightReport(periods: [Self.march, again], status: 1))
        #expect(nights.booked == ["0 purchase 31", "150 resubscribe 180"])
        #expect(nights.snapshot.state == .active)
        #expect(nights.snapshot.endReason == nil)
        #expect(nights.nextCheck == NextCheck(at: AppleNights.day(179), reason: .beforeExpiry))
    }

    /// The receipt of day 31, two hours past the expiry, has nothing new and nothing that says it is over.
    @Test
    func `B4: a receipt's renewal a day late is no churn; one that never comes is, 48 hours after the expiry`() throws {
        let silent = NightReport(periods: [Self.march], status: 2)
        var late = try Self.bought(.receipt)
        try late.night(31, silent)
        #expect(late.snapshot.state == .active)
        #expect(late.nextCheck == NextCheck(at: AppleNights.day(31, hours: 20), reason: .nightly))
        // Access: the answer and the buffer.
        let access = Access(of: late.snapshot, policy: AccessPolicy(), at: AppleNights.day(31, hours: 3))
        #expect(access.until == AppleNights.day(32, hours: 2))
        var never = late
        try late.night(32, NightReport(periods: [Self.march, Self.april], status: 1))
        #expect(late.booked == ["0 purchase 31", "31 renewal 61"])
        #expect(late.snapshot.state == .active)
        try never.night(32, silent)
        #expect(never.snapshot.state == .active)
        try never.night(33, silent)
        #expect(never.snapshot.state == .expired)
        #expect(never.snapshot.endReason == .unknown)
        #expect(never.snapshot.endedAt == AppleNights.day(31))
        #expect(never.nextCheck == NextCheck(at: nil, reason: .never))
    }

    /// The store says that it tries to be paid, and that nothing would renew: nothing may still.
    @Test func `B2: ended: auto-renew off ends a receipt's retry`() throws {
        var nights = try Self.bought(.receipt)
        try nights.night(31, NightReport(periods: [Self.march], status: 3, autoRenew: false, intent: 2))
        #expect(nights.snapshot.state == .expired)
        #expect(nights.snapshot.endReason == .involuntary)
        #expect(nights.nextCheck == NextCheck(at: nil, reason: .never))
    }
}
