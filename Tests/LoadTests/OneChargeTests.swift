// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// A sale is charged once: what the table of entries refuses, and what it says of a price that came, went and came again.
@Suite struct OneChargeTests {
    private static func charge(_ seq: Int) -> String {
        """
        insert into subledger.ledger_entries (
            subscription_key, transaction_id, product_id, seq, kind, occurred_at, recorded_at, run_id, amount_micros,
            currency, source)
        values (1, 't1', 'monthly', \(seq), 'charge', '2026-03-01', '2026-03-01', 1, 9990000, 'USD', 'store_price')
        """
    }

    @Test(arguments: [1, 2]) func `a second charge of a sale is refused`(seq: Int) async throws {
        try await withLedgerDatabase { connection, _ in
            try await connection.script(Self.charge(1))
            let refusal = await #expect(throws: PostgresError.self) { try await connection.script(Self.charge(seq)) }
            #expect(refusal?.constraint == (seq == 1 ? "ledger_entries_pkey" : "charges_are_first_entries"))
        }
    }

    /// 9.99, then nothing (a gift), then 9.99 again: one charge, and a correction each time.
    @Test func `a price that is taken back and comes again is a correction`() async throws {
        try await LoadWorld.with { world in
            for (night, price) in [(1, 9_990_000), (2, 0), (3, 9_990_000), (4, 4_990_000)] as [(Int64, Int64)] {
                try await world.night(night, LoadWorld.period(signed: night) { $0.facts.priceMicros = price })
            }
            #expect(
                try await world.ledger() == [
                    "1|charge|9990000|USD|03-01 00:00|1|", "2|correction|-9990000|USD|03-01 00:00|2|1",
                    "3|correction|9990000|USD|03-01 00:00|3|2", "4|correction|-9990000|USD|03-01 00:00|4|3",
                    "5|correction|4990000|USD|03-01 00:00|4|3",
                ])
        }
    }
}
