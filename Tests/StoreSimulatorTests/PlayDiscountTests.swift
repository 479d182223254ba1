// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// Prices that the store pays a part of, and lists that leave the tax out: on paper.
@Suite struct PlayDiscountTests {
    /// January at 8.40, of which the store pays so many cents for the customer; then February.
    private static func backend(paidByStore cents: Int64, total: Int64, tax: Int64) -> PlayBackend {
        var january = PlayPaper.order(
            nil, "2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z", "2026-02-01T10:00:00Z", total: total, tax: tax)
        january.lines[0].listMicros = 8_400_000
        january.lines[0].couponMicros = cents * 10_000
        return PlayPaper.backend(
            PlayPaper.token(
                [january, PlayPaper.february],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z", order: january),
                    PlayPaper.moment(
                        .active, "2026-02-01T08:00:00Z", until: "2026-03-01T10:00:00Z", order: PlayPaper.february),
                ]))
    }

    @Test func `B5: a month that the store paid for is paid, though the customer gave nothing`() throws {
        let backend = Self.backend(paidByStore: 840, total: 0, tax: 0)
        let shown = try backend.order(
            PlayPaper.base, PlayPaper.app, at: instant("2026-01-02T00:00:00Z"), isReported: false)
        let money = { (name: String) in shown.object[name] as? [String: Any] }
        #expect(money("total")?["units"] == nil && money("total")?["nanos"] == nil)
        #expect(money("developerRevenueInBuyerCurrency")?["units"] as? String == "6")
        let points = shown.object["pointsDetails"] as? [String: Any]
        let coupon = points?["pointsCouponValue"] as? [String: Any]
        #expect(coupon?["units"] as? String == "8" && coupon?["nanos"] as? Int == 400_000_000)
        #expect(points?["pointsSpent"] is String && points?["pointsDiscountRateMicros"] is String)
        let line = (shown.object["lineItems"] as? [[String: Any]])?.first
        #expect((line?["listingPrice"] as? [String: Any])?["units"] as? String == "8")
        let books = backend.books(at: "2026-02-05T00:00:00Z")
        #expect(books.playRows() == ["purchase 0/0/6000000", "..0 renewal 8400000/1340000/6000000"])
        #expect(books.storeDiscounts == [8_400_000, nil])
        #expect(books.playChurn(through: "2026-01-20") == ["2026-01-20 monthly opening 1"])
        #expect(
            books.playRevenue(through: "2026-02-04") == [
                "2026-02-01 charges 1 8400000 refunds 0 0 tax 1340000 proceeds 6000000"
            ])
        let excluded = books.metrics(.happened).exclusions(through: "2026-02-04")
        #expect(excluded.map { $0.words["reason"] } == ["zero_price"] && excluded.figures("rows") == [1])
        // Worth nothing to the customer's bill in January, 8.40 in February.
        let closings = books.metrics(.happened).bridge(through: "2026-02-04").filter { $0.date == "2026-02-02" }
        #expect(closings.figures("closing") == [8_400_000])
    }

    @Test func `a half that the store paid leaves the developer's part whole`() throws {
        let backend = Self.backend(paidByStore: 420, total: 420, tax: 67)
        let books = backend.books(at: "2026-01-05T00:00:00Z")
        #expect(books.playRows() == ["purchase 4200000/670000/6000000"])
        #expect(books.storeDiscounts == [4_200_000])
        let shown = try backend.order(
            PlayPaper.base, PlayPaper.app, at: instant("2026-01-02T00:00:00Z"), isReported: false)
        #expect((shown.object["developerRevenueInBuyerCurrency"] as? [String: Any])?["units"] as? String == "6")
        #expect(PlayPaper.january.couponMicros == 0)
        let plain = PlayPaper.backend(
            PlayPaper.token(
                [PlayPaper.january], [PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z")])
        )
        let other = try plain.order(
            PlayPaper.base, PlayPaper.app, at: instant("2026-01-02T00:00:00Z"), isReported: false)
        #expect(other.object["pointsDetails"] == nil)
    }

    /// In the United States 20.00 are listed and 21.60 are paid: 1.60 of tax.
    ///
    /// The rest of January costs nothing.
    @Test func `B5: where the list leaves the tax out, a proration's worth has it back in`() throws {
        let month = PlayPaper.order(
            nil, "2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z", "2026-02-01T10:00:00Z", total: 864, tax: 64,
            revenue: 680)
        var rest = PlayPaper.order(
            nil, "2026-01-16T10:00:00Z", "2026-01-16T10:00:00Z", "2026-02-01T10:00:00Z",
            base: "GPA.5555-6666-7777-88888", product: .premiumMonthly, phase: .proration, total: 0, tax: 0,
            revenue: nil)
        rest.lines[0].listMicros = 20_000_000
        let tokens = [
            PlayPaper.token(
                "token-1", [month],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z", order: month),
                    PlayPaper.moment(
                        .expired, "2026-01-16T10:00:00Z", until: "2026-01-16T10:00:00Z", renews: false, order: month,
                        by: .replacement),
                ]),
            PlayPaper.token(
                "token-2", linkedTo: "token-1", [rest],
                [PlayPaper.moment(.active, "2026-01-16T10:00:00Z", until: "2026-02-01T10:00:00Z", order: rest)]),
        ]
        let backend = PlayBackend(
            apps: [PlayPaper.app],
            customers: [
                PlayCustomer(appID: "acme-android", accountID: "account-1", market: .unitedStates, tokens: tokens)
            ])
        let bridge = backend.books(at: "2026-01-20T00:00:00Z").metrics(.happened, lengths: .catalogue)
            .bridge(through: "2026-01-19").filter { $0.date == "2026-01-17" }
        #expect(bridge.figures("closing") == [21_600_000])
        let shown = try backend.order(
            "GPA.5555-6666-7777-88888", PlayPaper.app, at: instant("2026-01-20T00:00:00Z"), isReported: false)
        #expect((shown.object["orderDetails"] as? [String: Any])?["taxInclusive"] == nil)
    }
}

extension Books {
    fileprivate var storeDiscounts: [Int64?] {
        transactions(.happened).sorted { $0.periodStart < $1.periodStart }.map(\.storeDiscountMicros)
    }
}
