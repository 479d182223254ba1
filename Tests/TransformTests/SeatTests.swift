// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing
import Transform

/// Seats that are added to a running period, and seats that are given back.
@Suite("Seats of a group")
struct SeatTests {
    /// Ten seats from day 0 to day 30, five more from day 15 on, at 10 each; the store repeats the period's key.
    private static func seats(
        _ id: String, from start: Int64, price: Int64, seats: Int64, isAdditional: Bool = true,
        refunded: Int64 = 0, reported: Int64 = 0
    ) -> ObservedPeriod {
        var row = period(start, days: 30 - start, id: id, product: "team", price: price, version: day(reported))
        row.facts.periodKey = "W1"
        row.sale.quantity = seats
        row.facts.seats = seats - refunded / 10_000_000
        row.isAdditional = isAdditional
        if refunded > 0 {
            row.refund = ObservedPeriod.Refund(
                at: day(reported), kind: .partial, micros: refunded, source: .derived, isGrowing: true,
                leavesPeriod: true)
        }
        return row
    }

    private static func running(_ reported: Int64) -> ObservedStatus {
        status(.active, expires: 30, version: day(reported))
    }

    @Test func `added seats are a row of their own beside the first, also where the store repeats the period's key`() {
        var books = Books()
        books.night(
            day(0), Self.running(0), Self.seats("A", from: 0, price: 100_000_000, seats: 10, isAdditional: false))
        let both = [
            Self.seats("B", from: 15, price: 50_000_000, seats: 5, reported: 16),
            Self.seats("A", from: 0, price: 100_000_000, seats: 10, reported: 16),
        ]
        for night in [16, 17] as [Int64] { books.book(both, Self.running(night), now: day(night)) }
        #expect(books.transactions.map(\.transactionID) == ["A", "B"])
        #expect(books.transactions.map(\.seats) == [10, 5])
        #expect(Set(books.transactions.map(\.periodKey)).count == 2)
        #expect(books.transactions.first?.periodKey == "W1")
        #expect(books.aliases.isEmpty)
        // One subscriber who goes on: no second purchase.
        #expect(books.kinds == [.purchase, .renewal])
    }

    @Test func `both seen at once, in either order, are the same two rows`() {
        let first = Self.seats("A", from: 0, price: 100_000_000, seats: 10)
        let second = Self.seats("B", from: 15, price: 50_000_000, seats: 5)
        for periods in [[first, second], [second, first]] {
            let reported = rows(reading(observation(periods, Self.running(16))), now: day(16)).transactions
            #expect(reported.map(\.transactionID) == ["A", "B"])
            #expect(reported.map(\.periodKey) == ["W1", "W1@\(day(15).milliseconds)"])
        }
    }

    @Test func `a restore of the added seats is an alias of them, and not of the first row`() {
        var books = Books()
        books.book(
            [
                Self.seats("A", from: 0, price: 100_000_000, seats: 10),
                Self.seats("B", from: 15, price: 50_000_000, seats: 5),
            ], Self.running(16), now: day(16))
        books.night(day(20), Self.running(20), Self.seats("C", from: 15, price: 50_000_000, seats: 5, reported: 20))
        #expect(books.transactions.map(\.transactionID) == ["A", "B"])
        #expect(books.aliases.map(\.alias) == ["C"])
        #expect(books.aliases.map(\.transactionID) == ["B"])
    }

    @Test
    func `seats given back are a refund of the day they were first reported, and each further one of its own day`() {
        var books = Books()
        books.night(day(0), Self.running(0), Self.seats("A", from: 0, price: 100_000_000, seats: 10))
        for (night, refunded) in [(5, 20_000_000), (6, 20_000_000), (9, 50_000_000)] as [(Int64, Int64)] {
            books.night(
                day(night), Self.running(night),
                Self.seats("A", from: 0, price: 100_000_000, seats: 10, refunded: refunded, reported: night))
        }
        let row = books.transactions[0]
        #expect(row.refundMicros == 50_000_000)
        #expect(
            row.refundParts == [
                RefundPart(at: day(5), micros: 20_000_000), RefundPart(at: day(9), micros: 30_000_000),
            ])
        #expect(row.refundedAt == day(9))
        #expect(row.refundSource == .derived)
        #expect(row.seats == 5)
        #expect(books.snapshot.state == .active)
        // Fewer given back than before: the latest goes first.
        books.night(
            day(12), Self.running(12),
            Self.seats("A", from: 0, price: 100_000_000, seats: 10, refunded: 30_000_000, reported: 12))
        #expect(
            books.transactions[0].refundParts == [
                RefundPart(at: day(5), micros: 20_000_000), RefundPart(at: day(9), micros: 10_000_000),
            ])
    }

    /// Two of ten on the tenth day; on the 25th the others, for nothing more at first and then for a part of the price,
    /// which the store dates again, raises and lowers.
    ///
    /// What it says twice changes nothing.
    @Test func `what was given back for some seats stays where it was when the rest is taken back`() {
        var books = Books()
        let row = { Self.seats("A", from: 0, price: 100_000_000, seats: 10, refunded: $0, reported: $1) }
        books.night(day(0), Self.running(0), row(0, 0))
        books.night(day(10), Self.running(10), row(20_000_000, 10))
        let steps: [(Int64, Int64, Int64, [(Int64, Int64)])] = [
            (26, 25, 20_000_000, [(10, 20_000_000)]),
            (27, 25, 20_000_000, [(10, 20_000_000)]),
            (28, 25, 40_000_000, [(10, 20_000_000), (25, 20_000_000)]),
            (29, 24, 40_000_000, [(10, 20_000_000), (24, 20_000_000)]),
            (30, 24, 50_000_000, [(10, 20_000_000), (24, 20_000_000), (24, 10_000_000)]),
            (31, 23, 50_000_000, [(10, 20_000_000), (23, 20_000_000), (23, 10_000_000)]),
            (32, 23, 15_000_000, [(10, 15_000_000)]),
            (33, 23, 15_000_000, [(10, 15_000_000)]),
        ]
        for (night, takenBack, sum, parts) in steps {
            var row = Self.ten
            row.refund = ObservedPeriod.Refund(
                at: day(takenBack), kind: .partial, micros: sum, source: .derived, isGrowing: true)
            (row.facts.seats, row.sale.sourceVersion) = (0, day(night))
            books.night(
                day(night), status(.revoked, expires: 30, reason: .refund, revoked: takenBack, version: day(night)), row
            )
            let booked = books.transactions[0]
            #expect(booked.refundMicros == sum)
            #expect(booked.refundParts == parts.map { RefundPart(at: day($0.0), micros: $0.1) })
            #expect(booked.refundedAt == day(takenBack))
        }
    }

    /// Two seats on the fifth day; on the twelfth the store dates 30.00 of an item on the ninth.
    @Test func `what the store dates itself is dated so beside what was booked before`() {
        var books = Books()
        books.night(day(0), Self.running(0), Self.seats("A", from: 0, price: 100_000_000, seats: 10))
        books.night(
            day(5), Self.running(5),
            Self.seats("A", from: 0, price: 100_000_000, seats: 10, refunded: 20_000_000, reported: 5))
        for night in [Int64(12), 13] {
            var row = Self.seats(
                "A", from: 0, price: 100_000_000, seats: 10, refunded: 50_000_000, reported: night)
            row.refund = ObservedPeriod.Refund(
                at: day(night), kind: .partial, micros: 50_000_000,
                parts: [RefundPart(at: day(9), micros: 30_000_000, isMoneyOnly: true)], source: .derived,
                isGrowing: true, leavesPeriod: true)
            books.night(day(night), Self.running(night), row)
            #expect(
                books.transactions[0].refundParts == [
                    RefundPart(at: day(5), micros: 20_000_000),
                    RefundPart(at: day(9), micros: 30_000_000, isMoneyOnly: true),
                ])
        }
    }

    /// Two seats on the fifth day; later the store dates 15.00 of an item on the third day, then as much again on the same day; then it
    /// takes the seats' refund back.
    @Test func `each of several sums of a day is of that day, and what was given back last is taken back first`() {
        var books = Books()
        books.night(day(0), Self.running(0), Self.seats("A", from: 0, price: 100_000_000, seats: 10))
        let steps: [(night: Int64, seats: Int64, items: Int, booked: [(Int64, Int64)])] = [
            (5, 20_000_000, 0, [(5, 20_000_000)]),
            (12, 20_000_000, 1, [(3, 15_000_000), (5, 20_000_000)]),
            (13, 20_000_000, 2, [(3, 15_000_000), (3, 15_000_000), (5, 20_000_000)]),
            (14, 20_000_000, 2, [(3, 15_000_000), (3, 15_000_000), (5, 20_000_000)]),
            (15, 0, 2, [(3, 15_000_000), (3, 15_000_000)]),
        ]
        for step in steps {
            let parts = Array(
                repeating: RefundPart(at: day(3), micros: 15_000_000, isMoneyOnly: true), count: step.items)
            let sum = step.seats + RefundAmount.sum(parts)
            var row = Self.seats(
                "A", from: 0, price: 100_000_000, seats: 10, refunded: sum, reported: step.night)
            row.refund = ObservedPeriod.Refund(
                at: day(step.night), kind: .partial, micros: sum, parts: parts, source: .derived, isGrowing: true,
                leavesPeriod: true)
            books.night(day(step.night), Self.running(step.night), row)
            let booked = books.transactions[0]
            #expect(
                booked.refundParts
                    == step.booked.map { RefundPart(at: day($0.0), micros: $0.1, isMoneyOnly: $0.0 == 3) })
            #expect(booked.refundedAt == day(step.booked.last?.0 ?? 0))
        }
    }

    /// The bundle that it went to gives no money back; the two seats' 20.00 were, and are not paid again.
    @Test func `what was given back for some seats stays when the rest is taken away without money`() {
        var books = Books()
        books.night(day(0), Self.running(0), Self.seats("A", from: 0, price: 100_000_000, seats: 10))
        books.night(
            day(10), Self.running(10),
            Self.seats("A", from: 0, price: 100_000_000, seats: 10, refunded: 20_000_000, reported: 10))
        for night in [Int64(26), 27] {
            var row = Self.ten
            row.refund = ObservedPeriod.Refund(at: day(25), kind: .revoke)
            (row.facts.seats, row.sale.sourceVersion) = (0, day(night))
            books.night(
                day(night), status(.revoked, expires: 30, reason: .refund, revoked: 25, version: day(night)), row)
            let booked = books.transactions[0]
            #expect(booked.refundKind == .revoke && booked.refundedAt == day(25))
            #expect(booked.refundMicros == 20_000_000 && booked.refundSource == .derived)
            #expect(booked.refundParts == [RefundPart(at: day(10), micros: 20_000_000)])
        }
    }

    /// 1.00 of it was given back on the fifth day for itself, the rest with the seats on the tenth.
    @Test func `what the store dates is dated so when all of it is read at once`() {
        var books = Books()
        var row = Self.ten
        row.refund = ObservedPeriod.Refund(
            at: day(10), kind: .partial, micros: 34_320_000,
            parts: [RefundPart(at: day(5), micros: 1_000_000, isMoneyOnly: true)], source: .derived, isGrowing: true)
        row.facts.seats = 0
        books.night(day(12), status(.revoked, expires: 30, reason: .refund, revoked: 10, version: day(12)), row)
        #expect(
            books.transactions[0].refundParts == [
                RefundPart(at: day(5), micros: 1_000_000, isMoneyOnly: true),
                RefundPart(at: day(10), micros: 33_320_000),
            ])
    }

    @Test func `a refund that a notification named is dated by it, where the answer does not say when`() {
        let row = Self.seats("A", from: 0, price: 100_000_000, seats: 10, refunded: 20_000_000, reported: 5)
        // By one of this transaction before one that names none; what is reported of another is not its own.
        let cases: [(RefundReports, Instant)] = [
            (RefundReports(unnamed: day(4)), day(4)), (RefundReports(unnamed: day(6)), day(5)),
            (RefundReports(), day(5)),
            (RefundReports(byTransaction: ["A": day(3)]), day(3)),
            (RefundReports(byTransaction: ["B": day(3)]), day(5)),
            (RefundReports(unnamed: day(2), byTransaction: ["A": day(3), "B": day(1)]), day(3)),
            (RefundReports(unnamed: day(2), byTransaction: ["B": day(1)]), day(2)),
        ]
        for (reports, expected) in cases {
            let asked = due(
                SubscriptionSnapshot(state: .active), wantsHistory: true, reason: .refundNotified,
                refundReports: reports)
            let rows = rows(reading(observation([row], Self.running(5))), for: [asked], now: day(5))
            #expect(rows.transactions.map(\.refundedAt) == [expected])
            #expect(rows.transactions.map { $0.refundParts.map(\.at) } == [[expected]])
        }
    }

    private static func givenBack(_ row: ObservedPeriod, on refunded: Int64, kind: RefundKind = .full) -> ObservedPeriod
    {
        var row = row
        row.refund = ObservedPeriod.Refund(
            at: day(refunded), kind: kind, micros: kind == .revoke ? nil : row.facts.priceMicros,
            isGrowing: kind != .revoke)
        row.facts.seats = 0
        row.sale.sourceVersion = day(refunded)
        return row
    }

    private static let ten = seats("A", from: 0, price: 100_000_000, seats: 10)
    private static let five = seats("B", from: 15, price: 50_000_000, seats: 5)

    /// The added ones, or those they were added to.
    @Test(arguments: [true, false])
    func `one row that was given back ends nothing while the other runs on`(isAddition: Bool) {
        var books = Books()
        books.book([Self.ten, Self.five], Self.running(16), now: day(16))
        let rest =
            isAddition
            ? [Self.ten, Self.givenBack(Self.five, on: 20)] : [Self.givenBack(Self.ten, on: 20), Self.five]
        for rows in [rest, rest.reversed()] {
            books.book(rows, Self.running(21), now: day(21))
            #expect(books.snapshot.state == .active)
            #expect(books.snapshot.endedAt == nil && books.snapshot.endReason == nil)
            #expect(books.snapshot.expiresAt == day(30))
            #expect(books.transactions.map(\.refundMicros) == (isAddition ? [nil, 50_000_000] : [100_000_000, nil]))
        }
        // What follows goes on.
        var next = period(30, id: "C", product: "team", price: 100_000_000, hint: .purchase, version: day(30))
        next.facts.seats = 10
        books.night(day(30), status(.active, expires: 60, version: day(30)), next)
        #expect(books.kinds == [.purchase, .renewal, .renewal])
    }

    /// Whichever of them the statuses list.
    @Test(arguments: [20, 24] as [Int64])
    func `the last row that is given back ends the period`(listed: Int64) {
        for rows in [
            [Self.givenBack(Self.ten, on: 24), Self.givenBack(Self.five, on: 20)],
            [Self.givenBack(Self.ten, on: 20), Self.givenBack(Self.five, on: 24)],
        ] {
            var books = Books()
            books.book([Self.ten, Self.five], Self.running(16), now: day(16))
            books.book(
                rows, status(.revoked, expires: 30, reason: .refund, revoked: listed, version: day(25)), now: day(25))
            #expect(books.snapshot.state == .revoked)
            #expect(books.snapshot.endedAt == day(24))
            #expect(books.snapshot.endReason == .refund)
            // Bought again before the period would have ended: after an end, not on top of it.
            var next = period(27, id: "C", product: "team", price: 100_000_000, hint: .purchase, version: day(27))
            next.facts.seats = 10
            books.night(day(27), status(.active, expires: 57, version: day(27)), next)
            #expect(books.kinds == [.purchase, .renewal, .resubscribe])
        }
    }

    /// The period is over by now, and the statuses say no more than that.
    @Test func `rows that were all given back end their period with the last, also where the status calls it expired`()
    {
        var books = Books()
        books.book([Self.ten, Self.five], Self.running(16), now: day(16))
        let rows = [Self.givenBack(Self.ten, on: 20), Self.givenBack(Self.five, on: 24)]
        books.book(rows, status(.expired, expires: 30, version: day(31)), now: day(31))
        #expect(books.snapshot.state == .revoked)
        #expect(books.snapshot.endedAt == day(24))
        #expect(books.snapshot.endReason == .refund)
    }

    @Test func `where one row was given back and the other ran out the period ended with its expiry`() {
        var books = Books()
        books.book([Self.ten, Self.five], Self.running(16), now: day(16))
        books.book(
            [Self.ten, Self.givenBack(Self.five, on: 24)],
            status(.expired, expires: 30, reason: .voluntary, version: day(31)), now: day(31))
        #expect(books.snapshot.state == .expired)
        #expect(books.snapshot.endedAt == day(30))
        #expect(books.snapshot.endReason == .voluntary)
    }

    @Test func `a withdrawn row beside a refunded one is a refund`() {
        for kinds in [(.full, .revoke), (.revoke, .full)] as [(RefundKind, RefundKind)] {
            let rows = [
                Self.givenBack(Self.ten, on: 20, kind: kinds.0), Self.givenBack(Self.five, on: 20, kind: kinds.1),
            ]
            var books = Books()
            books.book(
                rows, status(.revoked, expires: 30, reason: .revoke, revoked: 20, version: day(21)), now: day(21))
            #expect(books.snapshot.endReason == .refund)
        }
    }

    /// The period began with its first row: seats that are added on its last day make no short one of it.
    @Test func `seats added within the last day are asked about no sooner`() {
        var books = Books()
        var late = Self.five
        (late.facts.purchasedAt, late.facts.start) = (day(29, .hours(12)), day(29, .hours(12)))
        books.book([Self.ten, late], Self.running(29), now: day(29, .hours(13)))
        #expect(books.nextCheck?.reason == .atExpiry)
        #expect(books.occurredAt == day(0))
    }

    @Test func `assigned seats are no charges: not watched for a refund`() {
        var books = Books()
        books.watch = [30, 60]
        var seat = period(0)
        seat.sale.ownership = .assigned
        books.night(day(31), status(.expired, expires: 30, version: day(31)), seat)
        #expect(books.transactions[0].ownership == .assigned)
        #expect(books.nextCheck?.reason == .never)
    }
}
