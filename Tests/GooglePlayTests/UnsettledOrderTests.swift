// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing

@testable import GooglePlay

/// Orders that a purchase names and that are not settled, or not returned: nothing is booked of them yet, and they are
/// asked for again.
///
/// RULINGS §6; androidpublisher v3, revision 20261026: Order.State.
@Suite struct UnsettledOrderTests {
    private static let first = Play.base + "..0"
    private static let second = Play.base + "..1"

    /// Runs to that day, on that order.
    private static func running(_ order: String, until end: String, _ changes: [String: (any Sendable)?] = [:])
        -> Object
    {
        Play.subscription(
            "ACTIVE",
            ["lineItems": [Play.item(["expiryTime": end, "latestSuccessfulOrderId": order])]].merging(changes) { $1 })
    }

    private static func order(
        _ id: String, _ start: String, _ end: String, paid: String? = nil, state: String = "PROCESSED"
    ) -> Object {
        let line = Play.line([
            "subscriptionDetails": [
                "basePlanId": "monthly", "offerPhaseDetails": ["baseDetails": [:] as Object] as Object,
                "servicePeriodStartTime": start, "servicePeriodEndTime": end,
            ] as Object
        ])
        return Play.order(
            id, state: state,
            [
                "createTime": start, "lastEventTime": paid ?? start, "lineItems": [line],
                "orderHistory": state == "PROCESSED"
                    ? ["processedEvent": ["eventTime": paid ?? start] as Object] as Object : [:] as Object,
            ])
    }

    /// March is booked; it is the night in which April is to be.
    private static func march() throws -> PlayNights {
        var nights = PlayNights(.v2)
        try nights.night(
            "2026-03-01T02:00:00Z", Self.running(Play.base, until: "2026-04-01T00:00:00Z"),
            orders: [Self.order(Play.base, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")])
        return nights
    }

    private static let april = Self.running(first, until: "2026-05-01T00:00:00Z")

    /// field-cases 6: the renewal names `..0`, orders do not know it on the first night, they do on the second.
    @Test(arguments: [nil, "PENDING", "SOMETHING_NEW"])
    func `an order that is late is asked for on the next night and booked`(state: String?) throws {
        var nights = try Self.march()
        let early = state.map { [Self.order(Self.first, "2026-04-01T00:00:00Z", "2026-05-01T00:00:00Z", state: $0)] }
        try nights.night("2026-04-01T02:00:00Z", Self.april, orders: early ?? [])
        #expect(nights.booked == ["2026-03-01 purchase 2026-04-01"])
        #expect(nights.snapshot.state == .active && nights.snapshot.expiresAt?.day == "2026-05-01")
        #expect(nights.nextCheck == NextCheck(at: Play.time("2026-04-01T20:00:00Z"), reason: .nightly))
        #expect(
            nights.awaited == [AwaitedOrder(id: Self.first, lastAskedAt: Play.time("2026-04-01T02:00:00Z"), nights: 0)]
        )
        try nights.night(
            "2026-04-02T02:00:00Z", Self.april,
            orders: [Self.order(Self.first, "2026-04-01T00:00:00Z", "2026-05-01T00:00:00Z")])
        #expect(nights.booked == ["2026-03-01 purchase 2026-04-01", "2026-04-01 renewal 2026-05-01"])
        #expect(nights.awaited == [] && nights.setAside == [])
        #expect(nights.nextCheck == NextCheck(at: Play.time("2026-05-01T00:00:00Z"), reason: .atExpiry))
    }

    /// A year is not booked a year late.
    @Test func `the first order of a yearly plan is waited for from the first check on`() throws {
        var nights = PlayNights(.v2)
        let year = Self.running(Play.base, until: "2027-03-01T00:00:00Z")
        let span = ("2026-03-01T00:00:00Z", "2027-03-01T00:00:00Z")
        try nights.night(
            "2026-03-01T02:00:00Z", year, orders: [Self.order(Play.base, span.0, span.1, state: "PENDING")])
        #expect(nights.nextCheck?.at == Play.time("2026-03-01T20:00:00Z"))
        try nights.night("2026-03-02T02:00:00Z", year, orders: [Self.order(Play.base, span.0, span.1)])
        #expect(nights.booked == ["2026-03-01 purchase 2027-03-01"])
        #expect(nights.nextCheck?.at == Play.time(span.1))
    }

    @Test func `a cancelled order is final, and a test purchase's is not waited for`() throws {
        var nights = try Self.march()
        try nights.night(
            "2026-04-01T02:00:00Z", Self.april,
            orders: [Self.order(Self.first, "2026-04-01T00:00:00Z", "2026-05-01T00:00:00Z", state: "CANCELED")])
        #expect(nights.awaited == [])
        #expect(nights.nextCheck == NextCheck(at: Play.time("2026-05-01T00:00:00Z"), reason: .atExpiry))
        let test = Self.running(Play.base, until: "2026-04-01T00:00:00Z", ["testPurchase": [:] as Object])
        #expect(try Play.read(test, due: Play.due(snapshot: nil)).observations.first?.unsettled == [])
        #expect(
            try Play.read(Play.subscription(), due: Play.due(snapshot: nil)).observations.first?.unsettled
                == [UnsettledOrder(id: Play.base)])
    }

    /// Found missing on 1 April, asked for again on the fourteen nights to the fifteenth.
    @Test func `with the fourteenth night it is a dead letter, and goes with the state's checks`() throws {
        var nights = try Self.march()
        for day in 1...14 {
            try nights.night("2026-04-\(day < 10 ? "0" : "")\(day)T02:00:00Z", Self.april)
            #expect(nights.setAside == [])
            #expect(nights.nextCheck?.at == Play.time("2026-04-\(day < 10 ? "0" : "")\(day)T20:00:00Z"))
        }
        // A run again within the night is no further one.
        try nights.night("2026-04-14T09:00:00Z", Self.april)
        #expect(nights.awaited.map(\.nights) == [13] && nights.setAside == [])
        #expect(nights.nextCheck?.at == Play.time("2026-04-14T20:00:00Z"))
        try nights.night("2026-04-15T02:00:00Z", Self.april)
        #expect(nights.setAside.map(\.reason) == ["unsettled_order"])
        #expect(nights.setAside.map(\.transactionID) == [Self.first])
        #expect(nights.nextCheck == NextCheck(at: Play.time("2026-05-01T00:00:00Z"), reason: .atExpiry))
        // The same letter, however often it is met.
        try nights.night("2026-05-01T02:00:00Z", Self.april)
        #expect(nights.setAside.map(\.transactionID) == [Self.first])
        try nights.night(
            "2026-05-02T02:00:00Z", Self.running(Self.second, until: "2026-06-01T00:00:00Z"),
            orders: [
                Self.order(Self.first, "2026-04-01T00:00:00Z", "2026-05-01T00:00:00Z"),
                Self.order(Self.second, "2026-05-01T00:00:00Z", "2026-06-01T00:00:00Z"),
            ])
        #expect(nights.booked.count == 3 && nights.awaited == [] && nights.setAside == [])
    }

    @Test func `one between others that was left out once is booked on the next night`() throws {
        var nights = try Self.march()
        let may = Self.running(Self.second, until: "2026-06-01T00:00:00Z")
        try nights.night(
            "2026-05-01T02:00:00Z", may,
            orders: [Self.order(Self.second, "2026-05-01T00:00:00Z", "2026-06-01T00:00:00Z")])
        try nights.night(
            "2026-05-02T02:00:00Z", may,
            orders: [Self.order(Self.first, "2026-04-01T00:00:00Z", "2026-05-01T00:00:00Z")])
        #expect(
            nights.booked == [
                "2026-03-01 purchase 2026-04-01", "2026-04-01 renewal 2026-05-01", "2026-05-01 renewal 2026-06-01",
            ])
        #expect(nights.awaited == [])
    }

    /// A declined renewal's order stays pending, and is named again when it is paid; what ended may have been paid.
    @Test(arguments: [
        ("IN_GRACE_PERIOD", false), ("ON_HOLD", false), ("PAUSED", false), ("EXPIRED", true), ("CANCELED", true),
    ])
    func `an order is waited for until its purchase awaits a payment`(state: String, waits: Bool) throws {
        var nights = try Self.march()
        let pending = Self.order(Self.first, "2026-04-01T00:00:00Z", "2026-05-01T00:00:00Z", state: "PENDING")
        try nights.night("2026-04-01T02:00:00Z", Self.april, orders: [pending])
        #expect(nights.awaited.map(\.id) == [Self.first])
        let item = Play.item(["expiryTime": "2026-05-01T00:00:00Z", "latestSuccessfulOrderId": Self.first])
        try nights.night(
            "2026-05-02T02:00:00Z", Play.subscription(state, ["lineItems": [item]]), orders: [pending])
        #expect(nights.awaited.map(\.id) == (waits ? [Self.first] : []))
    }

    /// It is asked for whatever the token says, and by itself where only refunds are looked for.
    @Test func `what is waited for is asked for with every check`() {
        let waited = AwaitedOrder(id: Self.first, lastAskedAt: Play.now, nights: 3)
        let due = Play.due(known: [Play.known(), Play.known(Self.second)], awaited: [waited])
        #expect(OrderPlan.orders(of: due, Purchase(latestOrders: [OrderID(Self.second)])) == [Self.first])
        #expect(OrderPlan.orders(of: due, nil) == [Self.first])
    }

    /// paymentState 1 is received, 3 with a change of plan to come, 2 is free, 0 awaited; purchaseType 1 is a code's.
    @Test(
        arguments: [
            (["paymentState": 1], true), (["paymentState": 3], true), (["paymentState": 2], false),
            (["paymentState": 0], false), (["paymentState": 1, "purchaseType": 1], false),
            (["paymentState": 1, "purchaseType": 0], false),
        ] as [([String: Int], Bool)])
    func `the older interface's order is waited for where its payment was received`(
        changes: [String: Int], isAwaited: Bool
    ) throws {
        var answer: Object = [
            "kind": "androidpublisher#subscriptionPurchase", "countryCode": "DE", "autoRenewing": true,
            "startTimeMillis": "\(Play.time("2026-03-01T00:00:00Z").milliseconds)", "orderId": Play.base,
            "expiryTimeMillis": "\(Play.time("2026-04-01T00:00:00Z").milliseconds)",
            "priceCurrencyCode": "EUR", "priceAmountMicros": "9990000",
        ]
        for (name, value) in changes { answer[name] = value }
        let reading = try Play.read(answer, due: Play.due(snapshot: nil), api: .v1)
        let unsettled = reading.observations.first?.unsettled
        #expect(unsettled == (isAwaited ? [UnsettledOrder(id: Play.base)] : []))
        // Its money is the order's: nothing is booked from the answer itself meanwhile.
        if isAwaited { #expect(reading.periods.isEmpty) }
    }
}
