// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing
import Transform

/// Refunds of a group's items, which the store dates one by one, beside those of its seats, which it does not.
@Suite("Dated refunds of a group")
struct DatedRefundTests {
    /// Ten seats at 10 each, from day 0 to day 30.
    ///
    /// `dated`: day and micros of what the store dates.
    /// `undated`: micros given back for seats.
    private static func row(
        after nights: [(night: Int64, dated: [(Int64, Int64)], undated: Int64)]
    ) throws -> CanonicalTransaction {
        var books = Books()
        let bought: (night: Int64, dated: [(Int64, Int64)], undated: Int64) = (0, [], 0)
        for (night, dated, undated) in [bought] + nights {
            var row = period(0, days: 30, id: "A", product: "team", price: 100_000_000, version: day(night))
            (row.sale.quantity, row.facts.seats) = (10, 10 - undated / 10_000_000)
            let parts = dated.map { RefundPart(at: day($0.0), micros: $0.1, isMoneyOnly: true) }
            let sum = RefundAmount.sum(parts) + undated
            if sum > 0 {
                row.refund = ObservedPeriod.Refund(
                    at: day(night), kind: .partial, micros: sum, parts: parts, source: .derived, isGrowing: true,
                    leavesPeriod: true)
            }
            books.night(day(night), status(.active, expires: 30, version: day(night)), row)
        }
        return try #require(books.transactions.first)
    }

    private static func parts(dated: [(Int64, Int64)], undated: [(Int64, Int64)] = []) -> [RefundPart] {
        (undated.map { RefundPart(at: day($0.0), micros: $0.1) }
            + dated.map { RefundPart(at: day($0.0), micros: $0.1, isMoneyOnly: true) }).sorted { $0.at < $1.at }
    }

    /// 15.00 of the third day and 20.00 of the fifth; then the first of them is taken back.
    @Test func `of sums that the store dates the one that it takes back goes, not the latest`() throws {
        let both: [(Int64, Int64)] = [(3, 15_000_000), (5, 20_000_000)]
        let row = try Self.row(after: [(6, both, 0), (7, [(5, 20_000_000)], 0)])
        #expect(row.refundParts == Self.parts(dated: [(5, 20_000_000)]))
        #expect(row.refundMicros == 20_000_000 && row.refundedAt == day(5))
    }

    /// 20.00 of the fifth day are of the sixth by now.
    @Test func `a sum that the store dates again is of its new day`() throws {
        let row = try Self.row(after: [
            (7, [(3, 15_000_000), (5, 20_000_000)], 0), (8, [(3, 15_000_000), (6, 20_000_000)], 0),
        ])
        #expect(row.refundParts == Self.parts(dated: [(3, 15_000_000), (6, 20_000_000)]))
        #expect(row.refundedAt == day(6))
    }

    /// Two seats on the sixth night, an item's 15.00 of the eighth; then one of the seats is not given back after all.
    @Test func `where fewer seats were given back, what the store dates stays, though it is later`() throws {
        let item: [(Int64, Int64)] = [(8, 15_000_000)]
        let row = try Self.row(after: [(6, [], 20_000_000), (9, item, 20_000_000), (10, item, 10_000_000)])
        #expect(row.refundParts == Self.parts(dated: item, undated: [(6, 10_000_000)]))
        #expect(row.refundMicros == 25_000_000 && row.refundedAt == day(8))
    }

    /// An item's 15.00 of the third day, two seats on the sixth night; then the item's refund is taken back.
    @Test func `where an item's refund is taken back, what was given back for seats stays`() throws {
        let row = try Self.row(after: [
            (4, [(3, 15_000_000)], 0), (6, [(3, 15_000_000)], 20_000_000), (7, [], 20_000_000),
        ])
        #expect(row.refundParts == Self.parts(dated: [], undated: [(6, 20_000_000)]))
        #expect(row.refundMicros == 20_000_000 && row.refundedAt == day(6))
    }

    /// 15.00 of the third day; on the tenth the item is taken away without money.
    @Test(arguments: [nil, 10] as [Int64?])
    func `what was given back of an item before it was taken away without money stays given back`(seats: Int64?) throws
    {
        var books = Books()
        var row = period(0, days: 30, id: "A", product: "math", price: 100_000_000)
        row.facts.seats = seats
        books.night(day(0), status(.active, expires: 30, version: day(0)), row)
        row.sale.sourceVersion = day(11)
        row.facts.seats = seats.map { _ in 0 }
        row.refund = ObservedPeriod.Refund(
            at: day(10), kind: .revoke, micros: 15_000_000, parts: Self.parts(dated: [(3, 15_000_000)]))
        books.night(day(11), status(.active, expires: 30, version: day(11)), row)
        let booked = try #require(books.transactions.first)
        #expect(booked.refundKind == .revoke && booked.refundedAt == day(10))
        #expect(booked.refundMicros == 15_000_000)
        #expect(booked.refundParts == Self.parts(dated: [(3, 15_000_000)]))
    }

    /// 10.00 of the tenth day, or the whole price; on the 20th a dearer product takes its place, and the answer shows that alone.
    @Test(arguments: [(RefundKind.partial, 10_000_000), (.full, 100_000_000)] as [(RefundKind, Int64)])
    func `what follows on a period of which money alone was given back is no new purchase`(
        kind: RefundKind, micros: Int64
    ) {
        var books = Books()
        var row = period(0, id: "A", product: "math", price: 100_000_000)
        books.night(day(0), status(.active, expires: 30, version: day(0)), row)
        row.sale.sourceVersion = day(11)
        row.refund = ObservedPeriod.Refund(
            at: day(10), kind: kind, micros: micros, parts: Self.parts(dated: [(10, micros)]), leavesPeriod: true)
        books.night(day(11), status(.active, expires: 30, version: day(11)), row)
        let next = period(20, id: "B", product: "all", price: 200_000_000, version: day(20))
        books.night(day(20), status(.active, expires: 50, version: day(20)), next)
        #expect(books.kinds == [.purchase, .upgrade])
    }

    /// Two seats on the sixth night, 90.00 of an item before; then all is taken away without money.
    @Test func `of a row that was taken away no more than its price was given back`() throws {
        var books = Books()
        var row = period(0, days: 30, id: "A", product: "team", price: 100_000_000)
        row.facts.seats = 10
        books.night(day(0), status(.active, expires: 30, version: day(0)), row)
        row.sale.sourceVersion = day(6)
        row.facts.seats = 8
        row.refund = ObservedPeriod.Refund(
            at: day(6), kind: .partial, micros: 20_000_000, source: .derived, isGrowing: true, leavesPeriod: true)
        books.night(day(6), status(.active, expires: 30, version: day(6)), row)
        row.sale.sourceVersion = day(11)
        row.facts.seats = 0
        row.refund = ObservedPeriod.Refund(
            at: day(10), kind: .revoke, micros: 90_000_000, parts: Self.parts(dated: [(8, 90_000_000)]))
        books.night(day(11), status(.active, expires: 30, version: day(11)), row)
        let booked = try #require(books.transactions.first)
        #expect(booked.refundMicros == 100_000_000)
        #expect(booked.refundParts == Self.parts(dated: [(8, 90_000_000)], undated: [(6, 10_000_000)]))
    }

    /// It may be taken back yet: both looks of the refund watch are still to come.
    @Test(arguments: [true, false])
    func `what is owned is not done with, though its whole price was given back`(isMoneyOnly: Bool) {
        let refund = RefundFacts(
            at: day(10), kind: .full, micros: 100_000_000,
            parts: [RefundPart(at: day(10), micros: 100_000_000, isMoneyOnly: isMoneyOnly)])
        let row = period(0, days: 365, id: "A", product: "math", price: 100_000_000)
        #expect(KnownPeriod(row.facts, kind: .purchase, refund: refund).isGivenBack == !isMoneyOnly)
    }
}
