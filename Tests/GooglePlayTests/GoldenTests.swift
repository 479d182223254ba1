// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing

@testable import GooglePlay

/// The same words in the documents of either interface: a monthly subscription that was bought on the 1st of January.
private enum Answer {
    typealias API = GooglePlayConfiguration.API

    /// It is paid until `until`, by the order `latest`.
    static func active(_ api: API, until: String, latest: String = Play.base, renews: Bool = true) -> Object {
        switch api {
        case .v2:
            Play.subscription(renews ? "ACTIVE" : "CANCELED", v2(until, latest, renews: renews))
                .merging(renews ? [:] : cancelled("userInitiatedCancellation")) { $1 }
        case .v1:
            v1(until, latest, ["paymentState": renews ? 1 : nil, "cancelReason": renews ? nil : 0], renews: renews)
        }
    }

    static func ended(_ api: API, on day: String, latest: String = Play.base, bySystem: Bool = false) -> Object {
        switch api {
        case .v2:
            Play.subscription("EXPIRED", v2(day, latest, renews: false))
                .merging(cancelled(bySystem ? "systemInitiatedCancellation" : "userInitiatedCancellation")) { $1 }
        case .v1: v1(day, latest, ["paymentState": nil, "cancelReason": bySystem ? 1 : 0], renews: false)
        }
    }

    /// A payment failed: access goes on until `until`, or has ended with a hold.
    static func unpaid(_ api: API, until: String, isOnHold: Bool) -> Object {
        switch api {
        case .v2: Play.subscription(isOnHold ? "ON_HOLD" : "IN_GRACE_PERIOD", v2(until, Play.base, renews: true))
        case .v1: v1(until, Play.base, ["paymentState": 0], renews: true)
        }
    }

    static func paused(_ api: API, on day: String, until resume: String) -> Object {
        switch api {
        case .v2:
            Play.subscription("PAUSED", v2(day, Play.base, renews: true))
                .merging(["pausedStateContext": ["autoResumeTime": resume] as Object]) { $1 }
        case .v1: v1(day, Play.base, ["paymentState": 1, "autoResumeTimeMillis": milliseconds(resume)], renews: true)
        }
    }

    static func order(
        _ number: Int, _ start: String, _ end: String, state: String = "PROCESSED", token: String = "token-1"
    ) -> Object {
        let id = number == 0 ? Play.base : "\(Play.base)..\(number - 1)"
        return Play.order(
            token == "token-1" ? id : "GPA.\(token)", state: state,
            [
                "purchaseToken": token, "createTime": start,
                "orderHistory": ["processedEvent": ["eventTime": start]] as Object, "lastEventTime": start,
                "lineItems": [line(start, end)],
            ])
    }

    private static func line(_ start: String, _ end: String) -> Object {
        let details: Object = [
            "basePlanId": "monthly", "offerPhaseDetails": ["baseDetails": [:] as Object] as Object,
            "servicePeriodStartTime": start, "servicePeriodEndTime": end,
        ]
        return Play.line(["subscriptionDetails": details])
    }

    private static func v2(_ until: String, _ latest: String, renews: Bool) -> [String: (any Sendable)?] {
        let plan: Object = renews ? ["autoRenewEnabled": true] : [:]
        return [
            "lineItems": [
                Play.item(["expiryTime": until, "latestSuccessfulOrderId": latest, "autoRenewingPlan": plan])
            ]
        ]
    }

    private static func v1(
        _ until: String, _ latest: String, _ changes: [String: (any Sendable)?], renews: Bool
    ) -> Object {
        Play.changed(
            [
                "kind": "androidpublisher#subscriptionPurchase",
                "startTimeMillis": milliseconds("2026-01-01T00:00:00Z"),
                "expiryTimeMillis": milliseconds(until), "autoRenewing": renews, "priceCurrencyCode": "EUR",
                "priceAmountMicros": "9990000", "countryCode": "DE", "orderId": latest,
            ], changes)
    }

    private static func cancelled(_ how: String) -> Object { ["canceledStateContext": [how: [:] as Object] as Object] }
    private static func milliseconds(_ text: String) -> String { "\(Play.time(text).milliseconds)" }
}

/// The histories of B4 and B5 and the table of B3, from the documents of both interfaces to booked rows.
@Suite struct GoldenTests {
    private static let interfaces: [GooglePlayConfiguration.API] = [.v2, .v1]
    private static let january = Answer.order(0, "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z")
    private static let february = Answer.order(1, "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z")
    private static let march = Answer.order(2, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")
    private static let secondOrder = Play.base + "..0"
    private static let thirdOrder = Play.base + "..1"

    /// Bought on the 1st of January and asked about the next night: January is known, until the 1st of February.
    private static func bought(_ api: GooglePlayConfiguration.API) throws -> PlayNights {
        var nights = PlayNights(api)
        try nights.night(
            "2026-01-02T02:15:00Z", Answer.active(api, until: "2026-02-01T00:00:00Z"), orders: [january])
        #expect(nights.booked == ["2026-01-01 purchase 2026-02-01"])
        #expect(nights.nextCheck == NextCheck(at: Play.time("2026-02-01T00:00:00Z"), reason: .atExpiry))
        return nights
    }

    /// A purchase and two renewals, each on the day the one before ended.
    @Test(arguments: interfaces)
    func `B5: a purchase that is renewed without a gap is one line, by either interface of Play`(
        api: GooglePlayConfiguration.API
    ) throws {
        var nights = try Self.bought(api)
        try nights.night(
            "2026-02-01T02:15:00Z", Answer.active(api, until: "2026-03-01T00:00:00Z", latest: Self.secondOrder),
            orders: [Self.february])
        try nights.night(
            "2026-03-01T02:15:00Z", Answer.active(api, until: "2026-04-01T00:00:00Z", latest: Self.thirdOrder),
            orders: [Self.march])
        #expect(
            nights.booked == [
                "2026-01-01 purchase 2026-02-01", "2026-02-01 renewal 2026-03-01", "2026-03-01 renewal 2026-04-01",
            ])
        #expect(nights.transactions.map(\.priceMicros) == [9_990_000, 9_990_000, 9_990_000])
        #expect(nights.snapshot.state == .active)
        #expect(nights.nextCheck == NextCheck(at: Play.time("2026-04-01T00:00:00Z"), reason: .atExpiry))
    }

    /// Cancelled on the 10th and restored on the 20th, before the expiry: the same token, every trace of it cleared.
    @Test(arguments: interfaces)
    func `B5: a purchase that is cancelled and restored before its expiry goes on, by either interface of Play`(
        api: GooglePlayConfiguration.API
    ) throws {
        var nights = try Self.bought(api)
        try nights.night(
            "2026-01-10T02:15:00Z", Answer.active(api, until: "2026-02-01T00:00:00Z", renews: false))
        #expect(nights.snapshot.state == .active)
        #expect(nights.snapshot.autoRenew == false)
        #expect(nights.snapshot.endReason == nil)
        try nights.night("2026-01-20T02:15:00Z", Answer.active(api, until: "2026-02-01T00:00:00Z"))
        #expect(nights.snapshot.autoRenew == true)
        try nights.night(
            "2026-02-01T02:15:00Z", Answer.active(api, until: "2026-03-01T00:00:00Z", latest: Self.secondOrder),
            orders: [Self.february])
        #expect(nights.booked == ["2026-01-01 purchase 2026-02-01", "2026-02-01 renewal 2026-03-01"])
    }

    /// Ended on the 1st of February and bought again on the 1st of May.
    ///
    /// Play gives a new token. Where it links it to the old one, three months later it is a resubscription; where it
    /// does not (bought in Play's own shop), nothing distinguishes it from a first purchase.
    @Test(arguments: interfaces, [true, false])
    func `B5: what lapsed and is bought again has a new token: linked, a resubscription; unlinked, a purchase`(
        api: GooglePlayConfiguration.API, isLinked: Bool
    ) throws {
        var old = try Self.bought(api)
        let over = Answer.ended(api, on: "2026-02-01T00:00:00Z")
        try old.night("2026-02-01T02:15:00Z", over)
        #expect(old.snapshot.state == .expired)
        #expect(old.snapshot.endReason == .voluntary)
        #expect(old.snapshot.endedAt == Play.time("2026-02-01T00:00:00Z"))
        #expect(old.nextCheck == NextCheck(at: nil, reason: .never))
        #expect(old.booked == ["2026-01-01 purchase 2026-02-01"])

        var new = PlayNights(api, token: "token-2")
        let link: Object = isLinked ? ["linkedPurchaseToken": "token-1"] : [:]
        // Older purchases are asked through the newer interface, whatever the app's own is.
        let linked = isLinked ? [Answer.ended(.v2, on: "2026-02-01T00:00:00Z")] : []
        let may = Answer.order(0, "2026-05-01T00:00:00Z", "2026-06-01T00:00:00Z", token: "token-2")
        try new.night(
            "2026-05-02T02:15:00Z",
            Answer.active(api, until: "2026-06-01T00:00:00Z", latest: "GPA.token-2").merging(link) { $1 },
            orders: [may] + (isLinked ? [Self.january] : []), linked: linked)
        #expect(new.booked == ["2026-05-01 \(isLinked ? "resubscribe" : "purchase") 2026-06-01"])
        #expect(new.snapshot.state == .active)
    }

    /// Play's expiry lies hours behind the period that was paid: the period ends where the order says.
    @Test(arguments: interfaces)
    func `B4: Play adds hours to the expiry: the period retains the order's end, and the next one is no lapse`(
        api: GooglePlayConfiguration.API
    ) throws {
        var nights = PlayNights(api)
        try nights.night(
            "2026-01-02T02:15:00Z", Answer.active(api, until: "2026-02-01T05:00:00Z"), orders: [Self.january])
        #expect(nights.snapshot.expiresAt == Play.time("2026-02-01T05:00:00Z"))
        #expect(nights.snapshot.graceExpiresAt == nil)
        try nights.night(
            "2026-02-01T06:00:00Z", Answer.active(api, until: "2026-03-01T05:00:00Z", latest: Self.secondOrder),
            orders: [Answer.order(1, "2026-02-01T00:02:00Z", "2026-03-01T00:00:00Z")])
        #expect(nights.booked == ["2026-01-01 purchase 2026-02-01", "2026-02-01T00:02:00Z renewal 2026-03-01"])
    }

    private static let night = "2026-02-01T12:00:00Z"
    private static let nextNight = NextCheck(at: Play.time("2026-02-02T06:00:00Z"), reason: .nightly)
    private static let never = NextCheck(at: nil, reason: .never)

    /// Asked at noon of the 1st of February, when January was over: what the store says then, and what follows.
    private struct Case: Sendable {
        let name: String
        let answer: @Sendable (GooglePlayConfiguration.API) -> Object
        var orders: [Object] = []
        let state: SubscriptionState
        var reason: EndReason?
        var renewal = false
        let next: NextCheck
    }

    private static let cases = [
        // Ended is assessed first, though an unknown order is named: a declined one.
        Case(
            name: "given up unpaid",
            answer: { Answer.ended($0, on: "2026-02-01T00:00:00Z", latest: secondOrder, bySystem: true) },
            state: .expired, reason: .involuntary, next: never),
        Case(
            name: "cancelled, and past its expiry",
            answer: { Answer.active($0, until: "2026-02-01T00:00:00Z", renews: false) },
            state: .expired, reason: .voluntary, next: never),
        Case(
            name: "renewed",
            answer: { Answer.active($0, until: "2026-03-01T00:00:00Z", latest: secondOrder) }, orders: [february],
            state: .active, renewal: true, next: NextCheck(at: Play.time("2026-03-01T00:00:00Z"), reason: .atExpiry)),
        // An order that is not settled is no renewal, whatever the expiry.
        Case(
            name: "its order is pending",
            answer: { Answer.active($0, until: "2026-02-01T00:00:00Z", latest: secondOrder) },
            orders: [Answer.order(1, "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z", state: "PENDING")],
            state: .active, next: nextNight),
        // Nothing is said of the payment for up to two days.
        Case(
            name: "silent grace", answer: { Answer.active($0, until: "2026-02-01T00:00:00Z") }, state: .active,
            next: nextNight),
        Case(
            name: "grace", answer: { Answer.unpaid($0, until: "2026-02-04T00:00:00Z", isOnHold: false) }, state: .grace,
            next: nextNight),
        Case(
            name: "hold", answer: { Answer.unpaid($0, until: "2026-02-01T00:00:00Z", isOnHold: true) },
            state: .billingRetry, next: nextNight),
        Case(
            name: "pause",
            answer: { Answer.paused($0, on: "2026-02-01T00:00:00Z", until: "2026-03-05T00:00:00Z") },
            state: .paused, next: NextCheck(at: Play.time("2026-03-05T00:00:00Z"), reason: .atResume)),
    ]

    @Test(arguments: interfaces, cases.indices)
    func `B3: ended first, then renewed, then not yet: case by case, by either interface of Play`(
        api: GooglePlayConfiguration.API, index: Int
    ) throws {
        let it = Self.cases[index]
        var nights = try Self.bought(api)
        try nights.night(Self.night, it.answer(api), orders: it.orders)
        #expect(nights.snapshot.state == it.state, "\(it.name)")
        #expect(nights.snapshot.endReason == it.reason, "\(it.name)")
        #expect(nights.nextCheck == it.next, "\(it.name)")
        #expect(
            nights.booked == ["2026-01-01 purchase 2026-02-01"] + (it.renewal ? ["2026-02-01 renewal 2026-03-01"] : []),
            "\(it.name)")
        #expect(
            nights.snapshot.endedAt == (it.state == .expired ? Play.time("2026-02-01T00:00:00Z") : nil), "\(it.name)")
    }

    /// What was paid for ends with January; the rest is grace, and moves on as the store moves it.
    @Test(arguments: interfaces)
    func `B3: each step of a grace is followed and stored, and a recovery retains the renewal's date`(
        api: GooglePlayConfiguration.API
    ) throws {
        var nights = try Self.bought(api)
        for (now, until) in [("02", "03"), ("03", "05"), ("05", "08")] {
            try nights.night(
                "2026-02-\(now)T02:15:00Z", Answer.unpaid(api, until: "2026-02-\(until)T00:00:00Z", isOnHold: false))
            #expect(nights.snapshot.state == .grace)
            #expect(nights.snapshot.expiresAt == Play.time("2026-02-01T00:00:00Z"))
            #expect(nights.snapshot.graceExpiresAt == Play.time("2026-02-\(until)T00:00:00Z"))
            #expect(nights.nextCheck?.reason == .nightly)
        }
        try nights.night(
            "2026-02-07T02:15:00Z", Answer.active(api, until: "2026-03-01T00:00:00Z", latest: Self.secondOrder),
            orders: [Self.february])
        #expect(nights.booked == ["2026-01-01 purchase 2026-02-01", "2026-02-01 renewal 2026-03-01"])
        #expect(nights.snapshot.graceExpiresAt == nil)
    }

    @Test(arguments: interfaces)
    func `B3: a settled order of what has ended is booked all the same`(api: GooglePlayConfiguration.API) throws {
        var nights = try Self.bought(api)
        try nights.night(
            "2026-03-02T02:15:00Z", Answer.ended(api, on: "2026-03-01T00:00:00Z", latest: Self.secondOrder),
            orders: [Self.february])
        #expect(nights.booked == ["2026-01-01 purchase 2026-02-01", "2026-02-01 renewal 2026-03-01"])
        #expect(nights.snapshot.state == .expired)
    }

    /// A yearly commitment paid by the month: each charge is an order of its own, and a customer who cancels stays active
    /// until the commitment is over.
    @Test func `B7: instalments are charges month by month; a cancellation that is pending ends nothing`() throws {
        var nights = PlayNights(.v2)
        func plan(_ until: String, _ latest: String, pending: Bool = false) -> Object {
            var details: Object = ["initialCommittedPaymentsCount": 12, "remainingCommittedPaymentsCount": 11]
            if pending { details["pendingCancellation"] = [:] as Object }
            let item = Play.item([
                "expiryTime": until, "latestSuccessfulOrderId": latest,
                "autoRenewingPlan": ["autoRenewEnabled": true, "installmentDetails": details] as Object,
            ])
            return Play.subscription("ACTIVE", ["lineItems": [item]])
        }
        try nights.night("2026-01-02T02:15:00Z", plan("2026-02-01T00:00:00Z", Play.base), orders: [Self.january])
        try nights.night(
            "2026-02-01T02:15:00Z", plan("2026-03-01T00:00:00Z", Self.secondOrder, pending: true),
            orders: [Self.february])
        #expect(nights.booked == ["2026-01-01 purchase 2026-02-01", "2026-02-01 renewal 2026-03-01"])
        #expect(nights.snapshot.state == .active)
        #expect(nights.snapshot.endReason == nil)
        #expect(nights.unknownValues.isEmpty)
    }

    /// Bought on the 31st of January: the last day of February, and the 28th from then on.
    ///
    /// Periods are the store's.
    @Test func `B7: a renewal of the 31st moves to the last valid day and stays there`() throws {
        var nights = PlayNights(.v2)
        let days = ["2026-01-31", "2026-02-28", "2026-03-28", "2026-04-28"].map { $0 + "T00:00:00Z" }
        for (number, (start, end)) in zip(days, days.dropFirst()).enumerated() {
            let latest = number == 0 ? Play.base : "\(Play.base)..\(number - 1)"
            try nights.night(
                start.replacing("T00", with: "T06"), Answer.active(.v2, until: end, latest: latest),
                orders: [Answer.order(number, start, end)])
        }
        #expect(
            nights.booked == [
                "2026-01-31 purchase 2026-02-28", "2026-02-28 renewal 2026-03-28", "2026-03-28 renewal 2026-04-28",
            ])
    }

    /// The developer gives two weeks: the expiry moves, and no order comes.
    @Test(arguments: interfaces)
    func `B7: a deferral moves the expiry and books nothing`(api: GooglePlayConfiguration.API) throws {
        var nights = try Self.bought(api)
        try nights.night(Self.night, Answer.active(api, until: "2026-02-15T00:00:00Z"))
        #expect(nights.booked == ["2026-01-01 purchase 2026-02-01"])
        #expect(nights.snapshot.state == .active)
        #expect(nights.nextCheck == NextCheck(at: Play.time("2026-02-15T00:00:00Z"), reason: .atExpiry))
    }
}
