// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing

@testable import GooglePlay

@Suite struct RefundTests {
    private static func partial(_ at: String, _ amount: Object, state: String = "PROCESSED_SUCCESSFULLY") -> Object {
        [
            "createTime": "2026-03-01T09:00:00Z", "processTime": at, "state": state,
            "refundDetails": ["total": amount, "tax": Play.euros(0, cents: 16)],
        ]
    }

    private static func history(_ partials: [Object], refund: Object? = nil) -> Object {
        var history: Object = ["partialRefundEvents": partials]
        if let refund { history["refundEvent"] = refund }
        return history
    }

    private func refund(_ state: String, _ history: Object, _ changes: [String: (any Sendable)?] = [:]) throws
        -> ObservedPeriod
    {
        let order = Play.order(state: state, changes.merging(["orderHistory": history]) { $1 })
        return try #require(try Play.read(Play.subscription(), orders: [order]).periods.first)
    }

    @Test func `B6: two partial refunds are two parts in the order of their days`() throws {
        let period = try refund(
            "PARTIALLY_REFUNDED",
            Self.history([
                Self.partial("2026-03-06T00:00:00Z", Play.euros(2)),
                Self.partial("2026-03-05T00:00:00Z", Play.euros(1)),
                Self.partial("2026-03-07T00:00:00Z", Play.euros(4), state: "PENDING"),
            ]))
        let (first, second) = (Play.time("2026-03-05T00:00:00Z"), Play.time("2026-03-06T00:00:00Z"))
        #expect(
            period.refund
                == ObservedPeriod.Refund(
                    at: second, kind: .partial, micros: 3_000_000,
                    parts: [
                        RefundPart(at: first, micros: 1_000_000, taxMicros: 160_000),
                        RefundPart(at: second, micros: 2_000_000, taxMicros: 160_000),
                    ]))
        // 7.13 EUR are what is left of 9.99 − 3.00: 7.13 × 9.99 ÷ 6.99 = 10.190085….
        #expect(period.proceedsMicros == 10_190_086)
    }

    /// Ended on the 10th of March, three weeks before the order's time was over, without a cancellation.
    @Test(arguments: [true, false])
    func `B6: an end before its time with a part given back is a refund`(isRefunded: Bool) throws {
        let end = "2026-03-10T00:00:00Z"
        let history = Self.history([Self.partial(end, Play.euros(6))])
        let order = Play.order(
            state: isRefunded ? "PARTIALLY_REFUNDED" : "PROCESSED", isRefunded ? ["orderHistory": history] : [:])
        let purchase = Play.subscription("EXPIRED", ["lineItems": [Play.item(["expiryTime": end])]])
        let status = try #require(
            try Play.read(purchase, orders: [order], readAt: Play.time("2026-03-11T00:00:00Z")).status)
        #expect(status.state == (isRefunded ? .revoked : .expired))
        #expect(status.endReason == (isRefunded ? .refund : .unknown))
        #expect(status.revokedAt == (isRefunded ? Play.time(end) : nil))
    }

    @Test func `B6: a full refund after partial ones gives back what was left`() throws {
        let period = try refund(
            "REFUNDED",
            Self.history(
                [
                    Self.partial("2026-03-05T00:00:00Z", Play.euros(1)),
                    Self.partial("2026-03-06T00:00:00Z", Play.euros(2)),
                ],
                refund: [
                    "eventTime": "2026-03-08T00:00:00Z", "refundReason": "OTHER",
                    "refundDetails": ["total": Play.euros(9, cents: 99), "tax": Play.euros(1, cents: 60)],
                ]))
        let refund = try #require(period.refund)
        #expect(refund.kind == .full)
        #expect(refund.at == Play.time("2026-03-08T00:00:00Z"))
        #expect(refund.micros == 9_990_000)
        #expect(refund.parts.map(\.micros) == [1_000_000, 2_000_000, 6_990_000])
        // 1.60 in all, of which 0.16 went back twice.
        #expect(refund.parts.map(\.taxMicros) == [160_000, 160_000, 1_280_000])
        #expect(period.proceedsMicros == nil)
    }

    @Test func `refunded without an event is the whole at the last event`() throws {
        let period = try refund("REFUNDED", [:], ["lastEventTime": "2026-03-09T00:00:00Z"])
        #expect(period.refund?.kind == .full)
        #expect(period.refund?.micros == 9_990_000)
        #expect(period.refund?.at == Play.time("2026-03-09T00:00:00Z"))
    }

    @Test func `refunded part by part until nothing was left ends with the last part`() throws {
        let period = try refund(
            "REFUNDED",
            Self.history([
                Self.partial("2026-03-05T00:00:00Z", Play.euros(9)),
                Self.partial("2026-03-06T00:00:00Z", Play.euros(0, cents: 99)),
            ]), ["lastEventTime": "2026-03-09T00:00:00Z"])
        #expect(period.refund?.kind == .full)
        #expect(period.refund?.at == Play.time("2026-03-06T00:00:00Z"))
        #expect(period.refund?.parts.map(\.micros) == [9_000_000, 990_000])
    }

    @Test func `B6: a refund that is only asked for is none yet`() throws {
        #expect(try refund("PENDING_REFUND", [:]).refund == nil)
    }

    /// 1.00 of 9.99 + 4.99 = 14.98: 0.666889… and 0.333110…, and the micro that is left goes to the first line.
    @Test func `refunds of several lines sum up exactly, in each part and in each line`() throws {
        let lines = [
            Play.line(["productId": "a"]), Play.line(["productId": "b", "total": Play.euros(4, cents: 99)]),
        ]
        let order = Play.order(
            state: "REFUNDED",
            [
                "total": Play.euros(14, cents: 98), "lineItems": lines,
                "orderHistory": Self.history(
                    [Self.partial("2026-03-05T00:00:00Z", Play.euros(1))],
                    refund: ["eventTime": "2026-03-08T00:00:00Z"]),
            ])
        let refunds = try Play.read(Play.subscription(), orders: [order]).periods.compactMap(\.refund)
        #expect(refunds.map(\.micros) == [9_990_000, 4_990_000])
        #expect(refunds.map { $0.parts.first?.micros } == [666_890, 333_110])
        #expect(refunds.map { $0.parts.last?.micros } == [9_323_110, 4_656_890])
    }

    @Test func `an unknown state of a partial refund is counted and not booked`() throws {
        let order = Play.order(["orderHistory": Self.history([Self.partial("", Play.euros(1), state: "LOST")])])
        let reading = try Play.read(Play.subscription(), orders: [order])
        #expect(reading.periods.first?.refund == nil)
        #expect(reading.unknownValues == ["partialRefund.state=LOST": 1])
    }

    @Test func `B6: money back for the last order is why an ended purchase ended`() throws {
        let ended = Play.subscription(
            "EXPIRED",
            [
                "canceledStateContext": ["developerInitiatedCancellation": [:] as Object],
                "lineItems": [Play.item(["expiryTime": "2026-03-09T08:00:00Z"])],
            ])
        let status = try #require(
            try Play.read(ended, orders: [Play.order(state: "REFUNDED")]).status)
        #expect(status.state == .revoked)
        #expect(status.endReason == .refund)
        #expect(status.revokedAt == Play.time("2026-03-09T08:00:00Z"))
        #expect(status.expiresAt == Play.time("2026-03-09T08:00:00Z"))
        // What the store reported before counts as well.
        let known = try Play.read(ended, due: Play.due(known: [Play.known(refund: .full)])).status
        #expect(known?.endReason == .refund)
        // An older order's refund, and a part of the last one's, move money only.
        let older = try Play.read(
            ended,
            orders: [
                Play.order(state: "REFUNDED"),
                Play.order(Play.base + "..0", ["lineItems": [Self.april]]),
            ]
        ).status
        #expect(older?.state == .expired)
        #expect(older?.endReason == .developer)
    }

    @Test func `B6: money back for a running purchase moves money only`() throws {
        let status = try #require(try Play.read(Play.subscription(), orders: [Play.order(state: "REFUNDED")]).status)
        #expect(status.state == .active)
        #expect(status.endReason == nil)
    }

    private static var april: Object {
        Play.line([
            "subscriptionDetails": [
                "servicePeriodStartTime": "2026-04-01T00:00:00Z", "servicePeriodEndTime": "2026-05-01T00:00:00Z",
                "offerPhaseDetails": ["baseDetails": [:] as Object],
            ] as Object
        ])
    }
}

/// Answers without a status: only orders were looked at.
@Suite struct RefundWatchTests {
    @Test func `a purchase's status stays as it was`() throws {
        let snapshot = SubscriptionSnapshot(
            state: .trial, stateRaw: "ACTIVE", productID: "gold.month", autoRenew: true,
            autoRenewProductID: "silver.month", expiresAt: Play.time("2026-04-01T00:00:00Z"),
            lastCheckedAt: Play.now - .days(3))
        let reading = try Play.read(
            nil, orders: [Play.order()],
            due: Play.due(snapshot: snapshot, wantsOnlyRefunds: true, known: [Play.known(isUpgraded: true)]))
        #expect(
            reading.status
                == ObservedStatus(
                    state: .active, raw: "ACTIVE", productID: "gold.month", autoRenew: true,
                    autoRenewProductID: "silver.month", expiresAt: Play.time("2026-04-01T00:00:00Z"),
                    sourceVersion: Play.now))
        // What was cut short by its successor stays so.
        #expect(reading.periods.map(\.isUpgraded) == [true])
    }

    @Test func `money back after the end becomes its reason`() throws {
        let end = Play.time("2026-03-04T00:00:00Z")
        let snapshot = SubscriptionSnapshot(
            state: .expired, expiresAt: end, endedAt: end, endReason: .voluntary, lastCheckedAt: end)
        func status(_ state: String) throws -> ObservedStatus? {
            try Play.read(
                nil, orders: [Play.order(state: state)],
                due: Play.due(snapshot: snapshot, wantsOnlyRefunds: true, known: [Play.known()])
            ).status
        }
        #expect(try status("PROCESSED")?.endReason == .voluntary)
        #expect(try status("REFUNDED")?.endReason == .refund)
        #expect(try status("REFUNDED")?.state == .revoked)
        #expect(try status("REFUNDED")?.revokedAt == end)
    }
}
