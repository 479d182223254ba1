// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing

@testable import GooglePlay

/// Money that was given back for one of several items, and by whom.
///
/// androidpublisher v3, revision 20261026: RevocationContextItemBasedRefund, PartialRefundEvent, RefundEvent.
@Suite struct ItemRefundTests {
    private static let base = Play.line(["productId": "gold.month"])
    private static let extra = Play.line([
        "productId": "extra.month", "total": Play.euros(4, cents: 99), "tax": Play.euros(0, cents: 80),
    ])

    private static func order(_ amounts: [(Object, tax: Object?)]) -> Object {
        let events: [Object] = amounts.enumerated().map { index, amount in
            [
                "createTime": "2026-03-05T00:00:00Z", "processTime": "2026-03-0\(5 + index)T00:00:00Z",
                "state": "PROCESSED_SUCCESSFULLY",
                "refundDetails": Play.changed(["total": amount.0], ["tax": amount.tax]),
            ]
        }
        return Play.order(
            state: "PARTIALLY_REFUNDED",
            [
                "total": Play.euros(14, cents: 98), "lineItems": [base, extra],
                "orderHistory": ["partialRefundEvents": events] as Object, "developerRevenueInBuyerCurrency": nil,
            ])
    }

    /// The purchase with both items, of which the second one ended on the 5th or goes on.
    private static func purchase(extraEnds: String = "2026-04-01T00:00:00Z") -> Object {
        Play.subscription(
            "ACTIVE",
            ["lineItems": [Play.item(), Play.item(["productId": "extra.month", "expiryTime": extraEnds])] as [Object]])
    }

    private func refunds(_ order: Object, _ purchase: Object = purchase()) throws -> [ObservedPeriod.Refund?] {
        try Play.read(purchase, orders: [order]).periods.sorted { $0.productID > $1.productID }.map(\.refund)
    }

    @Test func `B6: what was given back for an item that was taken away is that item's`() throws {
        // Prorated: 4.00 of 4.99.
        let refunds = try refunds(
            Self.order([(Play.euros(4), tax: nil)]), Self.purchase(extraEnds: "2026-03-05T00:00:00Z"))
        #expect(refunds.first == .some(nil))
        #expect(refunds.last??.micros == 4_000_000)
        #expect(refunds.last??.kind == .partial)
    }

    @Test func `B6: the whole price of one item is that item's`() throws {
        let refunds = try refunds(Self.order([(Play.euros(4, cents: 99), tax: Play.euros(0, cents: 80))]))
        #expect(refunds.first == .some(nil))
        #expect(refunds.last??.kind == .full)
        #expect(refunds.last??.parts.map(\.taxMicros) == [800_000])
    }

    @Test func `B6: any other sum is shared in proportion`() throws {
        // 1.498 of 9.99 + 4.99: a tenth of each.
        let sum: Object = ["currencyCode": "EUR", "units": "1", "nanos": 498_000_000]
        #expect(try refunds(Self.order([(sum, tax: nil)])).map { $0?.micros } == [999_000, 499_000])
        // The price of one item with the tax of another is no item's: 4.99 × 9.99 ÷ 14.98 = 3.327777…, and the micro left.
        let odd = try refunds(Self.order([(Play.euros(4, cents: 99), tax: Play.euros(0, cents: 79))]))
        #expect(odd.map { $0?.micros } == [3_327_778, 1_662_222])
    }

    @Test func `B6: one item's money back ends nothing of the others`() throws {
        let ended = Play.subscription(
            "EXPIRED",
            [
                "canceledStateContext": ["userInitiatedCancellation": [:] as Object],
                "lineItems": [
                    Play.item(["expiryTime": "2026-03-09T00:00:00Z"]),
                    Play.item(["productId": "extra.month", "expiryTime": "2026-03-09T00:00:00Z"]),
                ] as [Object],
            ])
        let order = Self.order([(Play.euros(4, cents: 99), tax: nil)])
        let status = try #require(try Play.read(ended, orders: [order]).status)
        #expect(status.state == .expired && status.endReason == .voluntary)
    }

    @Test(
        arguments: [("CHARGEBACK", .chargeback), ("OTHER", nil), (nil, nil), ("WHIM", nil)]
            as [(
                String?, RefundReason?
            )])
    func `B6: a charge-back is reported as such, and an unknown reason is counted`(
        word: String?, reason: RefundReason?
    ) throws {
        let event = Play.changed(["eventTime": "2026-03-08T00:00:00Z"], ["refundReason": word])
        let order = Play.order(state: "REFUNDED", ["orderHistory": ["refundEvent": event] as Object])
        let reading = try Play.read(Play.subscription(), orders: [order])
        #expect(reading.periods.first?.refund?.kind == .full)
        #expect(reading.periods.first?.refund?.reason == reason)
        #expect(reading.unknownValues["refund.refundReason=WHIM"] == (word == "WHIM" ? 1 : nil))
    }
}
