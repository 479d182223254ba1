// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// The bridge of recurring revenue, worked out on paper.
@Suite struct BridgeTests {
    private static let firstDay = CivilTime.instant(year: 2026, month: 3, day: 1)

    private static func piece(
        _ day: Int64, _ product: String, _ term: Term = .months(1), _ micros: Int64? = 10_000_000,
        _ currency: String = "USD"
    ) -> PaidLine.Piece {
        PaidLine.Piece(
            start: firstDay + day * CivilTime.day + CivilTime.hour, productID: product,
            value: micros.map { PaidLine.Value(monthly: term.monthlyNanos(of: Int128($0)), currency: currency) })
    }

    private static func end(_ day: Int64) -> Int64 { firstDay + day * CivilTime.day + 2 * CivilTime.hour }

    private static func row(
        _ day: Int, _ product: String, _ opening: Int64, _ movements: [Bridge.Movement: Int64], _ closing: Int64,
        _ currency: String = "USD"
    ) -> MetricRow {
        let figures =
            [("opening", opening)] + Bridge.Movement.allCases.map { ($0.rawValue, movements[$0] ?? 0) }
            + [("fx", 0), ("closing", closing)]
        return MetricRow(
            ["date": "2026-03-0\(day + 1)", "app_id": "a", "product_id": product, "currency": currency],
            Named(figures.map(\.0), figures.map(\.1)))
    }

    /// What a month of it is worth, in micros as it is shown.
    private static func shown(_ term: Term, _ micros: Int128) -> Int64 {
        Rounding.micros(ofNanos: term.monthlyNanos(of: micros))
    }

    @Test func `a week is 30.4375 sevenths of a month, a year twelve months, and sums are rounded but once`() {
        // 1.00 a week × 30.4375 ÷ 7 = 4.348214285…; three of them are 13.044642857…, not 3 × 4.348214.
        #expect(Self.shown(.weeks(1), 1_000_000) == 4_348_214)
        let week = Term.weeks(1).monthlyNanos(of: 1_000_000)
        #expect(Rounding.micros(ofNanos: week + week + week) == 13_044_643)
        #expect(Self.shown(.months(12), 120_000_000) == 10_000_000)
        #expect(Self.shown(.days(487), 16_000_000) == 1_000_000)
        // 18 ÷ 12 = 1.5 and 30 ÷ 12 = 2.5 both go to the even 2; below zero alike.
        #expect([18, 30, -18, -30].map { Self.shown(.months(12), $0) } == [2, 2, -2, -2])
    }

    /// 9.99 a week: 9,990,000 × 487 = 4,865,130,000 micros, ÷ 112 = 43,438,660.714… A thousand times that over 112 is
    /// 4,865,130,000,000 = 112 × 43,438,660,714 + 32, so the 714 stay.
    ///
    /// Seven such subscribers are 304,070,624,998 nanos: exactly seven times one of them, though 7 × 9.99 a week in one
    /// price would be 34,055,910,000,000 ÷ 112 = 304,070,625,000.
    @Test func `each paid period is rounded by itself, to a thousandth of a micro`() {
        let week = Term.weeks(1).monthlyNanos(of: 9_990_000)
        #expect(week == 43_438_660_714)
        #expect((0..<7).reduce(Int128(0)) { sum, _ in sum + week } == 304_070_624_998)
        #expect(Term.weeks(1).monthlyNanos(of: 7 * 9_990_000) == 304_070_625_000)
        #expect(Rounding.micros(ofNanos: 7 * week) == 304_070_625)
        // 1,000 ÷ 16 = 62.5 and 3,000 ÷ 16 = 187.5: the even 62 and 188; below zero alike.
        #expect([1, 3, -1, -3].map { Term.months(16).monthlyNanos(of: $0) } == [62, 188, -62, -188])
        // What is left of 9.99 less a tenth, over a year: 8,991,000 ÷ 12 = 749,250 micros.
        #expect(Term.months(12).monthlyNanos(of: 9_990_000 * 90, over: 100) == 749_250_000)
    }

    @Test func `an upgrade moves the old value over and the difference is the new product's`() {
        let line = PaidLine(
            appID: "a",
            stretches: [
                .init(
                    pieces: [Self.piece(0, "basic"), Self.piece(1, "premium", .months(12), 360_000_000)],
                    end: Self.end(3), outcome: .churned(.voluntary))
            ])
        let rows = Bridge.rows([line], through: "2026-03-05")
        #expect(
            Set(rows) == [
                Self.row(0, "basic", 0, [.new: 10_000_000], 10_000_000),
                Self.row(1, "basic", 10_000_000, [.movedOut: -10_000_000], 0),
                Self.row(1, "premium", 0, [.movedIn: 10_000_000, .expansion: 20_000_000], 30_000_000),
                Self.row(2, "premium", 30_000_000, [:], 30_000_000),
                Self.row(3, "premium", 30_000_000, [.churnVoluntary: -30_000_000], 0),
            ])
    }

    @Test func `who comes back is reactivated after an end, recovered after a lapse or a pause`() {
        for (outcome, left, back) in [
            (Lineage.Outcome.churned(.price), Bridge.Movement.churnPrice, Bridge.Movement.reactivation),
            (.lapsed, .lapsed, .recovery), (.paused, .paused, .recovery), (.moved, .movedOut, .movedIn),
        ] {
            let line = PaidLine(
                appID: "a",
                stretches: [
                    .init(pieces: [Self.piece(0, "basic")], end: Self.end(0), outcome: outcome),
                    .init(pieces: [Self.piece(2, "basic", .months(1), 5_000_000)], end: Self.end(9), outcome: .open),
                ], isImported: true)
            #expect(
                Bridge.rows([line], through: "2026-03-03") == [
                    Self.row(0, "basic", 0, [.imported: 10_000_000, left: -10_000_000], 0),
                    Self.row(2, "basic", 0, [back: 5_000_000], 5_000_000),
                ])
        }
    }

    @Test func `money of another currency, or of no known price, goes and comes without a difference`() {
        let line = PaidLine(
            appID: "a",
            stretches: [
                .init(
                    pieces: [
                        Self.piece(0, "basic"), Self.piece(1, "basic", .months(1), 9_000_000, "EUR"),
                        Self.piece(2, "basic", .months(1), nil),
                    ], end: Self.end(3), outcome: .churned(.unknown))
            ])
        #expect(
            Set(Bridge.rows([line], through: "2026-03-05")) == [
                Self.row(0, "basic", 0, [.new: 10_000_000], 10_000_000),
                Self.row(1, "basic", 10_000_000, [.movedOut: -10_000_000], 0),
                Self.row(1, "basic", 0, [.movedIn: 9_000_000], 9_000_000, "EUR"),
                Self.row(2, "basic", 9_000_000, [.movedOut: -9_000_000], 0, "EUR"),
            ])
    }
}
