// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing
import TestSupport

@testable import GooglePlay

/// What it means that somebody does not go on: set to cancel, when, and for which reason.
///
/// androidpublisher v3, revision 20261026: UserInitiatedCancellation, InstallmentPlan, DeferredItemRemoval,
/// SubscriptionItemPriceChangeDetails, PriceStepUpConsentDetails.
@Suite struct CancellationTests {
    private static func plan(_ members: Object) -> Object {
        Play.item(["autoRenewingPlan": (["autoRenewEnabled": true] as Object).merging(members) { $1 }])
    }

    private func status(_ word: String, _ changes: [String: (any Sendable)?], at now: Instant = Play.now) throws
        -> ObservedStatus
    {
        try #require(
            try Play.read(Play.subscription(word, changes), due: Play.due(known: [Play.known()]), readAt: now).status)
    }

    private static func instalments(owed: Int?, isCancelled: Bool = true, enabled: Bool? = true) -> Object {
        let details = Play.changed(
            ["initialCommittedPaymentsCount": 12],
            [
                "remainingCommittedPaymentsCount": owed,
                "pendingCancellation": isCancelled ? [:] as Object : nil,
            ])
        return Play.item([
            "autoRenewingPlan": Play.changed(["installmentDetails": details], ["autoRenewEnabled": enabled])
        ])
    }

    /// March runs; four more payments are owed: April to July, and the plan ends with July.
    ///
    /// What is left out is none.
    @Test(
        arguments: [
            (4, true, true, true, "2026-08-01T00:00:00Z"), (4, true, nil, true, "2026-08-01T00:00:00Z"),
            (1, true, true, true, "2026-05-01T00:00:00Z"), (nil, true, true, false, "2026-04-01T00:00:00Z"),
            (0, true, true, false, "2026-04-01T00:00:00Z"), (4, false, true, true, nil), (nil, false, true, true, nil),
            (nil, false, nil, false, nil), (-3, true, true, false, "2026-04-01T00:00:00Z"),
        ] as [(Int?, Bool, Bool?, Bool, String?)])
    func `B7: instalments that are cancelled go on while payments are owed, and say when they end`(
        owed: Int?, isCancelled: Bool, enabled: Bool?, renews: Bool, until: String?
    ) throws {
        let plan = Self.instalments(owed: owed, isCancelled: isCancelled, enabled: enabled)
        let observed = try status("ACTIVE", ["lineItems": [plan]])
        #expect(observed.state == .active && observed.autoRenew == renews)
        #expect(observed.committedUntil == until.map(Play.time))
    }

    /// Two are owed, each as long as the period that runs.
    @Test(
        arguments: [
            ("2026-03-25T00:00:00Z", 2, "2026-04-15T00:00:00Z"), ("2026-01-01T00:00:00Z", 2, "2026-10-01T00:00:00Z"),
        ] as [(String, Int, String?)])
    func `B7: instalments are owed at the length of their own period`(start: String, owed: Int, until: String?) throws {
        let known = Play.known(start: start)
        let observed = try #require(
            try Play.read(
                Play.subscription("ACTIVE", ["lineItems": [Self.instalments(owed: owed)]]),
                due: Play.due(known: [known]),
                readAt: Play.now
            ).status)
        #expect(observed.expiresAt == Play.time("2026-04-01T00:00:00Z"))
        #expect(observed.committedUntil == until.map(Play.time))
    }

    /// Two weeks that a change of plan left over, or a purchase of the same one before its end, booked on an earlier night: the plan is
    /// billed by the month.
    @Test(arguments: [TransactionKind.crossgrade, .renewal])
    func `B7: the rest of another period is no length of instalments`(kind: TransactionKind) throws {
        var facts = Play.known(start: "2026-03-18T00:00:00Z").facts
        if kind == .renewal { facts.priceMicros = 0 }
        let rest = KnownPeriod(facts, kind: kind)
        let observed = try #require(
            try Play.read(
                Play.subscription("ACTIVE", ["lineItems": [Self.instalments(owed: 2)]]), due: Play.due(known: [rest]),
                readAt: Play.now
            ).status)
        #expect(observed.committedUntil == Play.time("2026-06-01T00:00:00Z"))
    }

    @Test func `B7: what ended before all was paid owes nothing more`() throws {
        let ended: [String: (any Sendable)?] = [
            "canceledStateContext": Self.system, "lineItems": [Self.instalments(owed: 4)],
        ]
        let observed = try status("EXPIRED", ended, at: Play.time("2026-06-01T00:00:00Z"))
        #expect(observed.state == .expired && observed.autoRenew == false && observed.committedUntil == nil)
    }

    /// In Play's words the price is the plan's, and the next charge costs that; a period at the plan's own price says it itself.
    @Test(
        arguments: [
            ("introductoryPrice", 12_990_000), ("freeTrial", 12_990_000), ("prorationPeriod", 12_990_000),
            ("basePrice", nil),
        ] as [(String, Int64?)])
    func `the recurring price is the renewal's in an offer and in a proration`(phase: String, micros: Int64?) throws {
        let plan: Object = ["autoRenewEnabled": true, "recurringPrice": Play.euros(12, cents: 99)]
        let item = Play.item(["autoRenewingPlan": plan, "offerPhase": [phase: [:] as Object]])
        #expect(
            try status("ACTIVE", ["lineItems": [item]]).renewalPrice
                == micros.flatMap { RenewalPrice(micros: $0, currency: "EUR") })
        // What will not renew has no price to come.
        let off = Play.item([
            "autoRenewingPlan": Play.changed(plan, ["autoRenewEnabled": nil]), "offerPhase": [phase: [:] as Object],
        ])
        #expect(try status("CANCELED", ["lineItems": [off]]).renewalPrice == nil)
        // Of several that renew it is the sum.
        let addOn = Play.item([
            "productId": "extra.month", "latestSuccessfulOrderId": Play.base + "..1",
            "autoRenewingPlan": ["autoRenewEnabled": true, "recurringPrice": Play.euros(2)] as Object,
        ])
        #expect(
            try status("ACTIVE", ["lineItems": [item, addOn]]).renewalPrice
                == micros.flatMap { RenewalPrice(micros: $0 + 2_000_000, currency: "EUR") })
    }

    @Test func `B7: an item that is to be removed is set to cancel, its neighbour is not`() throws {
        let removed = Play.item([
            "productId": "extra.month", "latestSuccessfulOrderId": Play.base + "..1",
            "deferredItemRemoval": [:] as Object,
        ])
        let reading = try Play.read(Play.subscription("ACTIVE", ["lineItems": [Play.item(), removed]]))
        #expect(reading.observations.first?.items?.map(\.autoRenew) == [true, false])
        #expect(reading.status?.autoRenew == true)
        let alone = try status("ACTIVE", ["lineItems": [removed]])
        #expect(alone.autoRenew == false)
    }

    @Test func `a customer's cancellation is dated by either interface, no other is`() throws {
        let at = "2026-03-05T18:30:00Z"
        let byUser: Object = ["userInitiatedCancellation": ["cancelTime": at] as Object]
        #expect(try status("CANCELED", ["canceledStateContext": byUser]).cancelledAt == Play.time(at))
        let bySystem: Object = ["systemInitiatedCancellation": [:] as Object]
        #expect(try status("CANCELED", ["canceledStateContext": bySystem]).cancelledAt == nil)
        func legacy(_ reason: Int) throws -> Instant? {
            let answer: Object = [
                "expiryTimeMillis": "1774996400000", "cancelReason": reason, "orderId": Play.base,
                "userCancellationTimeMillis": "\(Play.time(at).milliseconds)",
            ]
            return try Play.read(answer, due: Play.due(known: [Play.known()]), api: .v1).status?.cancelledAt
        }
        #expect(try legacy(0) == Play.time(at))
        #expect(try legacy(1) == nil)
    }

    /// Read on the 2nd of March, and then not before the expiry.
    @Test func `B7: a cancellation in mid-period is a step of its own day, learned with the end`() throws {
        let cancelled: Object = [
            "userInitiatedCancellation": ["cancelTime": "2026-03-05T18:30:00Z"] as Object
        ]
        var nights = PlayNights(.v2)
        try nights.night("2026-03-02T02:00:00Z", Play.subscription(), orders: [Play.order()])
        let item = Play.item(["autoRenewingPlan": [:] as Object])
        let ended = Play.subscription("EXPIRED", ["canceledStateContext": cancelled, "lineItems": [item]])
        try nights.night("2026-04-01T02:00:00Z", ended)
        #expect(nights.snapshot.state == .expired && nights.snapshot.endReason == .voluntary)
        #expect(
            nights.steps == [
                StateStep(at: Play.time("2026-03-05T18:30:00Z"), state: .active, autoRenew: false)
            ])
        // Reported again, it is nothing new.
        try nights.night("2026-04-02T02:00:00Z", ended)
        #expect(nights.steps.isEmpty)
    }

    @Test func `B7: what is still running changed on the day it was cancelled, and had started before`() throws {
        let cancelled = Play.subscription(
            "CANCELED",
            [
                "canceledStateContext": ["userInitiatedCancellation": ["cancelTime": "2026-03-05T18:30:00Z"]] as Object,
                "lineItems": [Play.item(["autoRenewingPlan": [:] as Object])],
            ])
        var nights = PlayNights(.v2)
        try nights.night("2026-03-10T02:00:00Z", cancelled, orders: [Play.order()])
        #expect(nights.occurredAt == Play.time("2026-03-05T18:30:00Z"))
        #expect(
            nights.steps == [
                StateStep(at: Play.time("2026-03-01T00:00:02.123456Z"), state: .active, autoRenew: true)
            ])
    }

    /// March, a pause from April on, paid again on the 3rd of May, switched off on the 6th: no check ran in between.
    @Test func `B7: what was paid after a pause and cancelled since changed on the day it was cancelled`() throws {
        var nights = PlayNights(.v2)
        try nights.night("2026-03-02T02:00:00Z", Play.subscription(), orders: [Play.order()])
        try nights.night("2026-04-02T02:00:00Z", Play.subscription("PAUSED"))
        #expect(nights.snapshot.state == .paused)
        let service = ["2026-05-03T00:00:00Z", "2026-06-03T00:00:00Z"]
        let details: Object = [
            "basePlanId": "monthly", "offerPhaseDetails": ["baseDetails": [:] as Object] as Object,
            "servicePeriodStartTime": service[0], "servicePeriodEndTime": service[1],
        ]
        let paid = Play.order(
            Play.base + "..0",
            [
                "createTime": service[0], "lastEventTime": service[0],
                "orderHistory": ["processedEvent": ["eventTime": service[0]]] as Object,
                "lineItems": [Play.line(["subscriptionDetails": details])],
            ])
        let item = Play.item([
            "autoRenewingPlan": [:] as Object, "expiryTime": service[1], "latestSuccessfulOrderId": Play.base + "..0",
        ])
        let byUser: Object = ["userInitiatedCancellation": ["cancelTime": "2026-05-06T01:23:29Z"] as Object]
        let cancelled = Play.subscription("CANCELED", ["canceledStateContext": byUser, "lineItems": [item]])
        try nights.night("2026-05-09T02:00:00Z", cancelled, orders: [paid])
        #expect(nights.occurredAt == Play.time("2026-05-06T01:23:29Z"))
        #expect(nights.steps == [StateStep(at: Play.time(service[0]), state: .active, autoRenew: true)])
    }

    private static let system: Object = ["systemInitiatedCancellation": [:] as Object]

    private static func change(_ state: String, mode: String? = "PRICE_INCREASE", at: String? = "2026-04-01T00:00:00Z")
        -> Object
    {
        [
            "priceChangeDetails": Play.changed(
                ["priceChangeState": state, "newPrice": Play.euros(12)],
                ["priceChangeMode": mode, "expectedNewPriceChargeTime": at])
        ]
    }

    private static func consent(_ state: String, by deadline: String?) -> Object {
        ["priceStepUpConsentDetails": Play.changed(["state": state], ["consentDeadlineTime": deadline])]
    }

    @Test(
        arguments: [
            (change("OUTSTANDING"), .price), (change("OUTSTANDING", at: nil), .price),
            (change("OUTSTANDING", mode: nil), .price), (change("CONFIRMED"), .involuntary),
            (change("APPLIED"), .involuntary), (change("OUTSTANDING", mode: "PRICE_DECREASE"), .involuntary),
            (change("OUTSTANDING", mode: "OPT_OUT_PRICE_INCREASE"), .involuntary),
            // It was to hold from the next renewal but one on.
            (change("OUTSTANDING", at: "2026-05-01T00:00:00Z"), .involuntary),
            // A renewal that is up to a day late is still this one.
            (change("OUTSTANDING", at: "2026-04-01T23:59:00Z"), .price),
            (change("OUTSTANDING", at: "2026-04-02T00:01:00Z"), .involuntary),
            (consent("PENDING", by: "2026-04-01T23:59:00Z"), .price),
            (consent("PENDING", by: "2026-04-02T00:01:00Z"), .involuntary),
            (consent("PENDING", by: "2026-03-31T00:00:00Z"), .price), (consent("PENDING", by: nil), .price),
            (consent("CONFIRMED", by: "2026-03-31T00:00:00Z"), .involuntary), ([:], .involuntary),
        ] as [(Object, EndReason)])
    func `B7: an end for want of the customer's consent to a higher price is the price's`(
        plan: Object, reason: EndReason
    ) throws {
        let ended: [String: (any Sendable)?] = ["canceledStateContext": Self.system, "lineItems": [Self.plan(plan)]]
        let read = Play.time("2026-04-02T00:00:00Z")
        #expect(try status("EXPIRED", ended, at: read).endReason == reason)
        // Who leaves by himself leaves by himself.
        let byUser = ended.merging(["canceledStateContext": ["userInitiatedCancellation": [:] as Object] as Object]) {
            $1
        }
        #expect(try status("EXPIRED", byUser, at: read).endReason == .voluntary)
    }

    @Test func `B3: after an account hold it is the payment that failed, whatever price was open`() throws {
        let ended = Play.subscription(
            "EXPIRED", ["canceledStateContext": Self.system, "lineItems": [Self.plan(Self.change("OUTSTANDING"))]])
        let due = Play.due(
            snapshot: SubscriptionSnapshot(state: .billingRetry, lastCheckedAt: Play.now), known: [Play.known()])
        #expect(
            try Play.read(ended, due: due, readAt: Play.time("2026-05-20T00:00:00Z")).status?.endReason == .involuntary)
    }

    @Test func `B3: the legacy interface's outstanding price is a reason, too`() throws {
        func reason(_ state: Int?) throws -> EndReason? {
            let answer = Play.changed(
                ["expiryTimeMillis": "1772323200000", "cancelReason": 1, "orderId": Play.base],
                ["priceChange": state.map { ["state": $0] as Object }])
            return try Play.read(answer, due: Play.due(known: [Play.known()]), api: .v1).status?.endReason
        }
        #expect(try reason(0) == .price)
        #expect(try reason(1) == .involuntary)
        #expect(try reason(nil) == .involuntary)
    }

    @Test func `B7: what was bought again outside the app continues the one that expired`() throws {
        let context: Object = ["expiredPurchaseToken": "token-0"]
        let again = try Play.read(Play.subscription("ACTIVE", ["outOfAppPurchaseContext": context]))
        #expect(again.observations.first?.linkedTo == Secret("token-0"))
        #expect(again.unknownValues["subscription.outOfAppPurchaseContext"] == nil)
        let both = try Play.read(
            Play.subscription("ACTIVE", ["outOfAppPurchaseContext": context, "linkedPurchaseToken": "token-x"]))
        #expect(both.observations.first?.linkedTo == Secret("token-x"))
    }
}
