// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import TestSupport
import Testing

/// Seats, who was assigned one, and where refunds come from, in the tables.
///
/// On paper: ten seats for 100.00 USD, two of them given back on the 5th, three more on the 9th.
@Suite struct SeatRowsTests {
    private static func seats(signed day: Int64, givenBack steps: [(day: Int64, micros: Int64)] = []) -> ChunkRows {
        LoadWorld.period(signed: day) { row in
            (row.facts.priceMicros, row.sale.quantity, row.facts.seats) = (100_000_000, 10, 10)
            guard let last = steps.last else { return }
            row.refund.refundParts = steps.map {
                RefundPart(at: LoadWorld.march + .days($0.day), micros: $0.micros)
            }
            let sum = steps.map(\.micros).reduce(0, +)
            (row.refund.refundMicros, row.refund.refundKind, row.refund.refundSource) = (sum, .partial, .derived)
            (row.refund.refundedAt, row.facts.seats) = (LoadWorld.march + .days(last.day), 10 - sum / 10_000_000)
        }
    }

    private func pictures(_ world: LoadWorld, of table: String) async throws -> [String] {
        try await world.connection.lines(
            """
            select ownership, seats, refund_micros, refund_source from subledger.\(table)
            order by transaction_id, source_version
            """)
    }

    @Test
    func `B6: seats given back are refunds of their own days, and the row and images say what is left`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.seats(signed: 0))
            try await world.night(2, Self.seats(signed: 4, givenBack: [(4, 20_000_000)]))
            #expect(try await world.night(3, Self.seats(signed: 6, givenBack: [(4, 20_000_000)])) == 0)
            try await world.night(4, Self.seats(signed: 8, givenBack: [(4, 20_000_000), (8, 30_000_000)]))
            #expect(
                try await world.ledger() == [
                    "1|charge|100000000|USD|03-01 00:00|1|", "2|refund|-20000000|USD|03-05 00:00|2|",
                    "3|refund|-30000000|USD|03-09 00:00|4|",
                ])
            #expect(try await pictures(world, of: "transactions") == ["purchased|5|50000000|derived"])
            #expect(
                try await pictures(world, of: "transaction_versions") == [
                    "purchased|10||", "purchased|8|20000000|derived", "purchased|5|50000000|derived",
                ])
        }
    }

    @Test func `an assigned seat is a row without money`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, LoadWorld.period { $0.sale.ownership = .assigned })
            #expect(try await world.ledger().isEmpty)
            #expect(try await pictures(world, of: "transactions") == ["assigned|||"])
        }
    }

    @Test func `a refund of before the column gains its source only with the next change`() async throws {
        func refunded(signed day: Int64, _ source: RefundSource?) -> ChunkRows {
            LoadWorld.period(signed: day) { row in
                (row.refund.refundedAt, row.refund.refundKind, row.refund.refundMicros) = (
                    LoadWorld.march + .days(2), .full, row.priceMicros
                )
                row.refund.refundSource = source
            }
        }
        try await LoadWorld.with { world in
            try await world.night(1, refunded(signed: 3, nil))
            #expect(try await world.night(2, refunded(signed: 4, .storeAmount)) == 0)
            let reported = refunded(signed: 5, .storeAmount)
            var more = reported
            more.transactions[0].facts.country = "CA"
            #expect(try await world.night(3, more) == 1)
            #expect(try await pictures(world, of: "transactions") == ["purchased||9990000|store_amount"])
            // Said otherwise later, it is a change.
            more.transactions[0].refund.refundSource = .derived
            more.transactions[0].sale.sourceVersion = LoadWorld.march + .days(6)
            #expect(try await world.night(4, more) == 1)
        }
    }
}
