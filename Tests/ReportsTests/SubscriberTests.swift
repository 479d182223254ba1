// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Who stood where at the end of a day, in small histories worked out on paper.
@Suite struct SubscriberTests {
    private let january = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")
    private let end = "2026-02-05 12:00Z"

    @Test func setToCancelIsAsItWasKnownOnTheDay() async throws {
        // Switched off on 3 March; the store dates it by its answer, two hours into the 4th, in the night about the 3rd.
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-01")
            try await world.night(2, for: "2026-03-03")
            try await world.night(3, for: "2026-03-06")
            try await world.charged(Sale(from: "2026-02-20 12:00Z", to: "2026-03-20 12:00Z"))
            try await world.became(
                "active", at: "2026-02-20 12:00Z", expires: "2026-03-20 12:00Z", autoRenew: true)
            try await world.became(
                "active", at: "2026-03-04 02:00Z", expires: "2026-03-20 12:00Z", autoRenew: false, seal: 2)
            try await world.became(
                "active", at: "2026-03-07 02:00Z", expires: "2026-03-20 12:00Z", autoRenew: true, seal: 3)
            #expect(try await world.subscribers(on: "2026-03-02", seal: 3) == ["monthly: active 1"])
            #expect(try await world.subscribers(on: "2026-03-03", seal: 3) == ["monthly: active 1, set_to_cancel 1"])
            #expect(try await world.subscribers(on: "2026-03-03", seal: 2) == ["monthly: active 1, set_to_cancel 1"])
            #expect(try await world.subscribers(on: "2026-03-03", seal: 1) == ["monthly: active 1"])
            #expect(try await world.subscribers(on: "2026-03-06", seal: 3) == ["monthly: active 1"])
            let risk = try await world.connection.lines(
                "select * from report.at_risk_as_of(2, '-infinity', '2026-03-03', 'UTC')")
            #expect(risk == ["acme-ios|app_store|monthly|set_to_cancel|1|9.990000|USD"])
            #expect(try await world.failedChecks(seal: 3).isEmpty)
        }
    }

    @Test func renewalDueOn29NovemberPaidOn4DecemberInGrace() async throws {
        // Active throughout, at risk from the expiry until it was paid; no movement of MRR at all.
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-12-10")
            try await world.charged(Sale(from: "2026-10-29 12:00Z", to: "2026-11-29 12:00Z"))
            try await world.became(
                "grace", at: "2026-11-29 12:00Z", recorded: "2026-11-30 02:00Z", expires: "2026-11-29 12:00Z",
                grace: "2026-12-15 12:00Z")
            try await world.charged(
                Sale(id: "t2", kind: "renewal", from: "2026-12-04 09:00Z", to: "2027-01-04 09:00Z"))
            try await world.became(
                "active", at: "2026-12-04 09:00Z", recorded: "2026-12-05 02:00Z", expires: "2027-01-04 09:00Z")
            #expect(try await world.subscribers(on: "2026-11-28") == ["monthly: active 1"])
            #expect(try await world.subscribers(on: "2026-11-29") == ["monthly: active 1, grace 1"])
            #expect(try await world.subscribers(on: "2026-12-03") == ["monthly: active 1, grace 1"])
            #expect(try await world.subscribers(on: "2026-12-04") == ["monthly: active 1"])
            #expect(
                try await world.bridge() == ["2026-10-29 monthly USD: 0.000000, new 9.990000 = 9.990000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func awaitedPaymentIsNoSubscriberAndStaysVisibleOnItsDays() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-05")
            try await world.night(2, for: "2026-04-06")
            try await world.charged(january)
            try await world.became("billing_retry", at: end, recorded: "2026-02-06 02:00Z", expires: end)
            try await world.became(
                "expired", at: end, recorded: "2026-04-07 02:00Z", reason: "involuntary", expires: end, seal: 2)
            #expect(try await world.subscribers(on: "2026-02-04", seal: 2) == ["monthly: active 1"])
            #expect(try await world.subscribers(on: "2026-02-05", seal: 2) == ["monthly: billing_retry 1"])
            #expect(try await world.subscribers(on: "2026-04-05", seal: 2) == ["monthly: billing_retry 1"])
            #expect(try await world.subscribers(on: "2026-04-06", seal: 2).isEmpty)
            let risk = try await world.connection.lines(
                "select * from report.at_risk_as_of(1, '-infinity', '2026-02-05', 'UTC')")
            #expect(risk == ["acme-ios|app_store|monthly|billing_retry|1|9.990000|USD"])
            #expect(try await world.failedChecks(seal: 2).isEmpty)
        }
    }

    @Test func pausedThenBack() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-10")
            try await world.charged(january)
            try await world.became("paused", at: end, recorded: "2026-02-06 02:00Z", expires: end)
            try await world.charged(
                Sale(id: "t2", kind: "renewal", from: "2026-03-05 12:00Z", to: "2026-04-05 12:00Z"))
            try await world.became("active", at: "2026-03-05 12:00Z", expires: "2026-04-05 12:00Z")
            #expect(try await world.subscribers(on: "2026-02-05") == ["monthly: paused 1"])
            #expect(try await world.subscribers(on: "2026-03-04") == ["monthly: paused 1"])
            #expect(try await world.subscribers(on: "2026-03-05") == ["monthly: active 1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func unreadPastThePaidTimeStaysActiveAndIsToldApart() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-10")
            try await world.charged(january)
            try await world.became("active", at: january.from, expires: end)
            #expect(try await world.subscribers(on: "2026-02-04") == ["monthly: active 1"])
            #expect(try await world.subscribers(on: "2026-02-05") == ["monthly: active 1, unread 1"])
            #expect(try await world.subscribers(on: "2026-02-10") == ["monthly: active 1, unread 1"])
        }
    }

    @Test func trialsAndSharesAreShownApartAndNeverInMRR() async throws {
        // Trials inside MRR: KeeperHub #2068, Polar #11264. Sandbox rows inside an imported history count nowhere.
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-20")
            try await world.sold(
                Sale(key: 1, id: "free", kind: "trial", from: "2026-01-05 12:00Z", to: "2026-01-12 12:00Z", price: 0))
            try await world.charged(Sale(key: 1, from: "2026-01-12 12:00Z", to: "2026-02-12 12:00Z"))
            try await world.sold(
                Sale(key: 2, from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", ownership: "family_shared"))
            try await world.sold(
                Sale(
                    key: 3, kind: "renewal", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", environment: "sandbox")
            )
            #expect(try await world.subscribers(on: "2026-01-11") == ["monthly: trial 1, family_shared 1"])
            #expect(try await world.subscribers(on: "2026-01-12") == ["monthly: active 1, family_shared 1"])
            #expect(
                try await world.bridge(through: "2026-01-20") == [
                    "2026-01-12 monthly USD: 0.000000, new 9.990000 = 9.990000"
                ])
            let excluded = try await world.connection.lines(
                "select * from report.exclusions_as_of(1, '-infinity', '2026-01-20', 'UTC') order by date, reason")
            #expect(
                excluded == [
                    "2026-01-05|acme-ios|family_shared|1", "2026-01-05|acme-ios|sandbox|1",
                    "2026-01-05|acme-ios|trial|1",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test(arguments: [
        // 23:59:59 in one zone is the next day in another; 29 March 2026 has 23 hours in Berlin, 1 November 25 in
        // Los Angeles (07:00 to 08:00 UTC), where App Store rows live when the zone is `store`.
        ("UTC", "2026-03-28 23:59:59Z", "2026-03-28"), ("Europe/Berlin", "2026-03-28 23:59:59Z", "2026-03-29"),
        ("Europe/Berlin", "2026-03-29 21:59:59Z", "2026-03-29"), ("Europe/Berlin", "2026-03-29 22:00Z", "2026-03-30"),
        ("store", "2026-11-02 07:59:59Z", "2026-11-01"), ("store", "2026-11-02 08:00Z", "2026-11-02"),
        ("UTC", "2026-11-02 07:59:59Z", "2026-11-02"),
    ])
    func aMovementStandsOnItsOwnDayOfTheZone(zone: String, instant: String, day: String) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2027-01-30")
            try await world.charged(Sale(from: instant, to: "2027-11-20 12:00Z", price: 0 + 12_000_000))
            let moved = try await world.bridge(through: "2026-12-31", zone: zone)
            #expect(moved.map { $0.prefix(10) } == [Substring(day)])
            #expect(try await world.subscribers(on: day, zone: zone) == ["monthly: active 1"])
        }
    }

    @Test func theStoresZoneIsItsOwn() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-30")
            var play = january
            (play.key, play.store, play.product) = (2, "google_play", "play")
            (play.from, play.to) = ("2026-01-06 07:59:59Z", "2026-02-06 07:59:59Z")
            var apple = play
            (apple.key, apple.store, apple.product) = (1, "app_store", "apple")
            try await world.charged(play)
            try await world.charged(apple)
            #expect(
                try await world.bridge(through: "2026-01-30", zone: "store").map { String($0.prefix(16)) } == [
                    "2026-01-05 apple", "2026-01-06 play ",
                ])
        }
    }

    @Test func aDayWithOnlyStartsOrOnlyEndsHasItsRow() async throws {
        // RevenueCat's sample SQL loses them in a join that should have been a full one.
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-10")
            try await world.charged(january)
            try await world.became("expired", at: end, reason: "voluntary", expires: end)
            let rows = try await world.connection.lines(
                "select date, active from report.subscribers_as_of(1, '-infinity', '2026-02-10', 'UTC') order by date")
            #expect(rows.count == 31 && rows.first == "2026-01-05|1" && rows.last == "2026-02-04|1")
            let moved = try await world.bridge(through: "2026-02-10")
            #expect(moved.map { $0.prefix(10) } == ["2026-01-05", "2026-02-05"])
        }
    }

    @Test func eventsWithoutAnActiveRowAreKept() async throws {
        // Two lineages of one day, of different products, one of which never existed before or after.
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-10")
            var flash = Sale(key: 2, product: "flash", from: "2026-01-20 08:00Z", to: "2026-02-20 08:00Z")
            (flash.refundedAt, flash.refundKind, flash.refund) = ("2026-01-20 09:00Z", "full", 9_990_000)
            try await world.charged(january)
            try await world.charged(flash)
            try await world.booked("refund", -9_990_000, at: "2026-01-20 09:00Z", of: flash)
            try await world.became("revoked", key: 2, at: "2026-01-20 09:00Z", reason: "refund", expires: flash.to)
            #expect(
                try await world.bridge(through: "2026-02-01").last
                    == "2026-01-20 flash USD: 0.000000, new 9.990000, churn_refund -9.990000 = 0.000000")
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
