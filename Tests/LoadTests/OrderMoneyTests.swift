// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import TestSupport
import Testing

/// Money of a store that reports tax, proceeds and refunds part by part.
///
/// On paper: 9.99 with a tax of 1.60 and proceeds of 7.13; all amounts in micros.
@Suite struct OrderMoneyTests {
    private static func order(
        read day: Int64, tax: Int64? = 1_600_000, proceeds: Int64? = 7_130_000, parts: [RefundPart] = []
    ) -> ChunkRows {
        LoadWorld.period(signed: day) { row in
            row.sale.priceSource = .storeOrder
            row.sale.taxMicros = tax
            row.facts.proceedsMicros = proceeds
            guard let last = parts.last else { return }
            row.refund.refundParts = parts
            row.refund.refundMicros = parts.map(\.micros).reduce(0, +)
            row.refund.refundedAt = last.at
            row.refund.refundKind = row.refundMicros == row.priceMicros ? .full : .partial
        }
    }

    private static func part(_ micros: Int64, onDay day: Int64, tax: Int64? = nil) -> RefundPart {
        RefundPart(at: LoadWorld.march + .days(day), micros: micros, taxMicros: tax)
    }

    private func ledger(_ world: LoadWorld) async throws -> [String] {
        try await world.connection.lines(
            """
            select seq, kind, amount_micros, tax_micros, proceeds_micros, to_char(occurred_at, 'MM-DD') as day, run_id
            from subledger.ledger_entries order by seq
            """)
    }

    @Test func `a charge carries the store's tax and proceeds`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.order(read: 0))
            #expect(try await ledger(world) == ["1|charge|9990000|1600000|7130000|03-01|1"])
            #expect(
                try await world.connection.lines(
                    "select tax_micros, proceeds_micros, proceeds_source from subledger.transaction_versions")
                    == ["1600000|7130000|store_order"])
        }
    }

    @Test func `B6: parts of a refund that are seen at once are refunds on their own days`() async throws {
        try await LoadWorld.with { world in
            let parts = [Self.part(1_000_000, onDay: 5), Self.part(8_990_000, onDay: 9)]
            try await world.night(1, Self.order(read: 10, parts: parts))
            // 1.00 of 9.99 of 1.60 is 0.160160…, of 7.13 is 0.713713…; what is left goes with the last part.
            #expect(
                try await ledger(world) == [
                    "1|charge|9990000|1600000|7130000|03-01|1",
                    "2|refund|-1000000|-160160|-713714|03-06|1",
                    "3|refund|-8990000|-1439840|-6416286|03-10|1",
                ])
        }
    }

    @Test func `a further part adds its own entry, and the store's tax of a part is retained`() async throws {
        try await LoadWorld.with { world in
            let first = Self.part(1_000_000, onDay: 5, tax: 160_000)
            try await world.night(1, Self.order(read: 6, parts: [first]))
            try await world.night(
                2, Self.order(read: 10, parts: [first, Self.part(2_000_000, onDay: 9, tax: 320_000)]))
            // Proceeds: 7.13 × 1 ÷ 9.99 = 0.713714, 7.13 × 3 ÷ 9.99 = 2.141141.
            #expect(
                try await ledger(world) == [
                    "1|charge|9990000|1600000|7130000|03-01|1",
                    "2|refund|-1000000|-160000|-713714|03-06|1",
                    "3|refund|-2000000|-320000|-1427427|03-10|2",
                ])
        }
    }

    @Test func `a part that vanished is booked back at the answer`() async throws {
        try await LoadWorld.with { world in
            let first = Self.part(1_000_000, onDay: 5)
            try await world.night(1, Self.order(read: 6, parts: [first, Self.part(2_000_000, onDay: 6)]))
            try await world.night(2, Self.order(read: 10, parts: [first]))
            #expect(
                try await ledger(world).suffix(1) == ["4|refund_reversal|2000000|320320|1427427|03-11|2"])
        }
    }

    @Test func `what was first reported of the charge remains when a later answer lacks some of it`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.order(read: 0))
            let all = [Self.part(9_990_000, onDay: 5)]
            try await world.night(2, Self.order(read: 6, tax: 0, proceeds: nil, parts: all))
            #expect(
                try await ledger(world) == [
                    "1|charge|9990000|1600000|7130000|03-01|1",
                    "2|refund|-9990000|-1600000|-7130000|03-06|2",
                ])
        }
    }

    @Test func `tax and proceeds that become known are a correction pair`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.order(read: 0, tax: nil, proceeds: nil))
            try await world.night(2, Self.order(read: 1))
            #expect(
                try await ledger(world) == [
                    "1|charge|9990000|||03-01|1",
                    "2|correction|-9990000|||03-01|2",
                    "3|correction|9990000|1600000|7130000|03-01|2",
                ])
        }
    }

    @Test func `the same order again changes nothing`() async throws {
        try await LoadWorld.with { world in
            let parts = [Self.part(1_000_000, onDay: 5, tax: 160_000), Self.part(8_990_000, onDay: 9)]
            try await world.night(1, Self.order(read: 10, parts: parts))
            #expect(try await world.night(2, Self.order(read: 11, parts: parts)) == 0)
            #expect(try await ledger(world).count == 3)
        }
    }

    private static func rest(read day: Int64, recurring: Int64?) -> ChunkRows {
        LoadWorld.period(signed: day) { $0.sale.recurringPriceMicros = recurring }
    }

    /// An answer that lacks the plan's price takes nothing back, and one that has it reports nothing new about the money.
    @Test func `B7: a plan's recurring price is stored in the row and in its history, and stays`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.rest(read: 0, recurring: nil))
            try await world.night(2, Self.rest(read: 1, recurring: 22_000_000))
            try await world.night(3, Self.rest(read: 2, recurring: nil))
            try await world.night(4, Self.rest(read: 3, recurring: 22_000_000))
            #expect(
                try await world.connection.lines(
                    "select run_id, recurring_price_micros from subledger.transaction_versions order by version")
                    == ["1|", "2|22000000"])
            #expect(
                try await world.connection.lines(
                    "select changed_run_id, recurring_price_micros, price_micros from subledger.transactions")
                    == ["2|22000000|9990000"])
            #expect(try await ledger(world) == ["1|charge|9990000|||03-01|1"])
        }
    }
}
