// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reports

/// Why a part of a figure moved, and how the parts come to the whole.
@Suite struct MovementTests {
    private static func moved(
        _ id: String, _ micros: Int64, money: String = "", isConversionAlone: Bool = false
    ) -> MovedOrigin {
        MovedOrigin(
            origin: RowOrigin.Lasting(id: id, isTransaction: true, money: money), lineageKey: 1, micros: micros,
            isConversionAlone: isConversionAlone)
    }

    private static func rest(
        _ micros: Int64, parts: Int? = 2, definitions: Bool = false, zone: Bool = false, rules: Bool = false,
        estimated: Bool = false
    ) -> UnexplainedRest {
        UnexplainedRest(
            micros: micros, partCount: parts, hasOtherDefinitions: definitions, hasOtherTimeZone: zone,
            hasNewRules: rules, isEstimated: estimated)
    }

    @Test func `a cause follows from what was learned of the transaction`() {
        let all = LearnedFacts(
            isNew: true, hasRefund: true, hasCharge: true, hasImage: true, hasState: true, hasProduct: true)
        var old = all
        old.isNew = false
        var unpaid = old
        unpaid.hasRefund = false
        #expect(all.cause(of: Self.moved("t", 1)) == .transactions)
        #expect(all.cause(of: Self.moved("t", 1, money: "refund")) == .refunds)
        #expect(all.cause(of: Self.moved("t", 1, money: "charge")) == .transactions)
        #expect(old.cause(of: Self.moved("t", 1)) == .refunds)
        // The charge of a transaction that was refunded, too, did not move by the refund.
        #expect(old.cause(of: Self.moved("t", 1, money: "charge")) == .prices)
        #expect(unpaid.cause(of: Self.moved("t", 1)) == .prices)
        #expect(LearnedFacts(hasState: true).cause(of: Self.moved("t", 1)) == .states)
        #expect(LearnedFacts(hasImage: true).cause(of: Self.moved("t", 1)) == .states)
        // What became of the subscription moves no money.
        #expect(LearnedFacts(hasState: true).cause(of: Self.moved("t", 1, money: "charge")) == .unknown)
        #expect(LearnedFacts(hasProduct: true).cause(of: Self.moved("t", 1)) == .catalogue)
        #expect(LearnedFacts().cause(of: Self.moved("t", 1)) == .unknown)
        // Whatever else was learned of it: the amount is the same, and only its worth is another one.
        var rated = all
        rated.hasRate = true
        #expect(rated.cause(of: Self.moved("t", 1, isConversionAlone: true)) == .rates)
        #expect(rated.cause(of: Self.moved("t", 1)) == .transactions)
        // Rates are a cause only where one was imported.
        #expect(all.cause(of: Self.moved("t", 1, isConversionAlone: true)) == .transactions)
    }

    @Test func `movements are grouped by cause, the largest first, with the transaction that moved most`() {
        let parts = [
            Self.moved("a", -3_000_000, money: "refund"), Self.moved("b", 1_000_000), Self.moved("c", 4_000_000),
            Self.moved("d", -500_000, money: "refund"),
        ]
        let facts: [RowOrigin.Lasting: LearnedFacts] = [
            parts[0].origin: LearnedFacts(hasRefund: true), parts[1].origin: LearnedFacts(isNew: true),
            parts[2].origin: LearnedFacts(isNew: true), parts[3].origin: LearnedFacts(hasRefund: true),
        ]
        #expect(
            Movement.all(parts, facts, rest: Self.rest(1)) == [
                Movement(cause: .transactions, micros: 5_000_000, count: 2, largest: "c", largestMicros: 4_000_000),
                Movement(cause: .refunds, micros: -3_500_000, count: 2, largest: "a", largestMicros: -3_000_000),
                Movement(cause: .rounding, micros: 1, count: 0, largest: nil, largestMicros: 0),
            ])
        #expect(Movement.all([], [:], rest: Self.rest(0)).isEmpty)
    }

    @Test func `an estimate that moved without news of its transaction moved by the rules`() {
        let part = Self.moved("a", -2_000_000, money: "charge")
        let rules = Movement(cause: .rules, micros: -2_000_000, count: 1, largest: "a", largestMicros: -2_000_000)
        #expect(Movement.all([part], [:], rest: Self.rest(0, rules: true, estimated: true)) == [rules])
        #expect(Movement.all([part], [:], rest: Self.rest(0, rules: true)).map(\.cause) == [.unknown])
    }

    @Test func `what no transaction explains is said to be so, for the reason there is`() {
        #expect(Self.rest(3).cause == .rounding)
        #expect(Self.rest(-3).cause == .rounding)
        #expect(Self.rest(4).cause == .unknown)
        #expect(Self.rest(4, definitions: true).cause == .definitions)
        #expect(Self.rest(4, zone: true).cause == .timeZone)
        #expect(Self.rest(4, rules: true, estimated: true).cause == .rules)
        // New rules do not move what is not estimated.
        #expect(Self.rest(4, rules: true).cause == .unknown)
        #expect(Self.rest(1, parts: nil).cause == .notFollowed)
    }

    @Test func `what moved since is found by transaction, whatever lineage it was counted under`() throws {
        let shape = FigureShape(
            report: "revenue",
            columns: [("date", .date), ("product_id", .text), ("net", .decimal), ("net_reporting", .decimal)].map {
                ReportColumn(name: $0, kind: $1, definition: "")
            }, spec: nil)
        func origin(_ product: String, _ lineage: Int64, _ transaction: String, _ money: String) -> RowOrigin {
            RowOrigin(productID: product, lineageKey: lineage, transactionID: transaction, money: money)
        }
        func amounts(_ rows: [(RowOrigin?, String?, String?)]) throws -> OriginAmounts {
            var amounts = try #require(
                OriginAmounts(try FigureName("revenue[product_id=gold].net_reporting"), of: shape))
            for (origin, net, reporting) in rows {
                let product = origin == nil ? "gold" : "row 1"
                let fields = ["2026-05-01", product, net, reporting]
                #expect(amounts.names(in: [fields, fields]) == [product])
                try amounts.take(fields, of: origin.map { ["row 1": $0] } ?? [:])
            }
            return amounts
        }
        let then = try amounts([
            (origin("gold", 1, "t1", "charge"), "9.990000", nil),
            (origin("gold", 7, "t2", "charge"), "2.000000", "2.500000"),
            (origin("silver", 1, "t9", "charge"), "1.000000", "1.000000"), (nil, "5.000000", "5.000000"),
        ])
        let now = try amounts([
            (origin("gold", 1, "t1", "charge"), "9.990000", "11.000000"),
            (origin("gold", 8, "t2", "charge"), "2.000000", "2.500000"),
            (origin("gold", 1, "t1", "refund"), "-4.000000", "-4.400000"),
        ])
        #expect(
            now.moved(since: then) == [
                Self.moved("t1", 11_000_000, money: "charge", isConversionAlone: true),
                Self.moved("t1", -4_400_000, money: "refund"),
            ])
    }
}
