// SPDX-License-Identifier: Apache-2.0

import Imports
import TestSupport
import Testing

/// `import fx` against a real database: the central bank's file, other files, and rates that cannot be right.
@Suite struct RateImportTests {
    @Test func `fx: the European Central Bank's file is taken as it is`() async throws {
        try await withLedgerDatabase { connection, database in
            let file = """
                Date,USD,JPY,RUB,
                2026-03-05,1.0834,163.02,N/A,
                2026-03-04,1.0821,abc,N/A,
                2026-03-03,1.0799,162.5,117.2,

                """
            let kind = ReferenceImport.Kind.fxRates(base: nil, source: "import")
            let outcome = try await ReferenceLists.take(file, as: kind, database)
            #expect(outcome.good == 2 && outcome.new == 6)
            #expect(ReferenceLists.said(outcome.bad) == ["3: bad rate `abc` for JPY: write a number such as 1.0834"])
            #expect(outcome.notes.isEmpty)
            #expect(
                try await connection.lines(
                    """
                    select source, base, currency, rate_date, rate::text, is_flagged from subledger.fx_rates
                    order by rate_date, currency
                    """) == [
                        "ecb|EUR|JPY|2026-03-03|162.5|false", "ecb|EUR|RUB|2026-03-03|117.2|false",
                        "ecb|EUR|USD|2026-03-03|1.0799|false", "ecb|EUR|JPY|2026-03-05|163.02|false",
                        "ecb|EUR|RUB|2026-03-05||false", "ecb|EUR|USD|2026-03-05|1.0834|false",
                    ])
            let again = try await ReferenceLists.take(file, as: kind, database)
            #expect(again.good == 2 && again.new == 0)
        }
    }

    @Test func `Golden: an FX feed off by 10x is stored and flagged; the right one is a newer row`() async throws {
        try await withLedgerDatabase { connection, database in
            let kind = ReferenceImport.Kind.fxRates(base: "USD", source: "bank")
            let outcome = try await ReferenceLists.take(
                """
                date,currency,rate
                2026-03-02,JPY,150
                2026-03-03,JPY,15
                2026-03-04,JPY,120
                2026-03-05,JPY,144
                2026-03-06,JPY,144.01
                """, as: kind, database)
            #expect(outcome.new == 5 && outcome.bad.isEmpty)
            // 120 → 144 is 20 % and no more.
            #expect(
                ReferenceLists.said(outcome.notes) == [
                    "3: JPY moved from 150 to 15 in a day: kept, flagged",
                    "4: JPY moved from 15 to 120 in a day: kept, flagged",
                ])
            let next = try await ReferenceLists.take(
                "date,currency,rate\n2026-03-07,JPY,200\n2026-03-03,JPY,150\n", as: kind, database)
            #expect(
                ReferenceLists.said(next.notes) == [
                    "2: JPY moved from 144.01 to 200 in a day: kept, flagged", "3: JPY: replaces 15",
                ])
            #expect(
                try await connection.lines(
                    "select rate_date from subledger.fx_rates where is_flagged order by rate_date") == [
                        "2026-03-03", "2026-03-04", "2026-03-07",
                    ])
        }
    }

    @Test func `a rate file with bad lines: each is named, the others go in`() async throws {
        try await withLedgerDatabase { connection, database in
            let file = """
                date,currency,rate
                2026-03-02,EUR,0.92
                2026-13-02,EUR,0.92
                2026-03-03,euro,0.92
                2026-03-03,EUR,0
                2026-03-03,EUR,"0,92"
                2026-03-03,USD,1
                2026-03-02,EUR,0.93
                2026-03-03,EUR
                """
            let outcome = try await ReferenceLists.take(
                file, as: .fxRates(base: "USD", source: "bank"), database)
            #expect(outcome.good == 1 && outcome.new == 1)
            #expect(
                ReferenceLists.said(outcome.bad) == [
                    "3: bad date `2026-13-02` in date: write 2026-03-01",
                    "4: bad currency `euro`: three capital letters (ISO 4217)",
                    "5: bad rate `0` for EUR: write a number such as 1.0834",
                    "6: bad rate `0,92` for EUR: write a number such as 1.0834",
                    "7: bad currency `USD`: it is the base",
                    "8: it contradicts line 2, which says 0.92 for the same day",
                    "9: it has 2 fields where the header names 3",
                ])
            let baseless = try await ReferenceLists.take(
                file, as: .fxRates(base: nil, source: "bank"), database)
            #expect(baseless.good == 0)
            #expect(ReferenceLists.said(baseless.bad) == ["1: its rates are for one of which currency? Give --base"])
        }
    }

    /// Twenty currencies and some, as the European Central Bank's files have them.
    private static func whole(without left: String?, _ days: [String]) -> String {
        let currencies =
            "USD JPY BGN CZK DKK GBP HUF PLN RON SEK CHF ISK NOK TRY AUD BRL CAD CNY HKD IDR ILS INR"
            .split(separator: " ").map(String.init).filter { $0 != left }
        let rows = days.map { day in day + "," + currencies.map { _ in "2" }.joined(separator: ",") }
        return (["Date," + currencies.joined(separator: ",")] + rows).joined(separator: "\n") + "\n"
    }

    @Test func `a currency that a whole file leaves out is quoted no more from its first day after the last rate`()
        async throws
    {
        try await withLedgerDatabase { connection, database in
            let kind = ReferenceImport.Kind.fxRates(base: nil, source: "import")
            let days = ["2025-12-30", "2025-12-31"]
            try await ReferenceLists.take(Self.whole(without: nil, days), as: kind, database)
            // Cut by hand to one column it says nothing of the others.
            let cut = try await ReferenceLists.take("Date,USD\n2026-01-02,2\n", as: kind, database)
            #expect(cut.notes.isEmpty)
            let later = Self.whole(without: "BGN", days + ["2026-01-05", "2026-01-02"])
            let outcome = try await ReferenceLists.take(later, as: kind, database)
            #expect(ReferenceLists.said(outcome.notes) == ["1: BGN is not in the file: not quoted since 2026-01-02"])
            let again = try await ReferenceLists.take(later, as: kind, database)
            #expect(again.notes.isEmpty && again.new == 0)
            #expect(
                try await connection.lines(
                    "select rate_date, rate from subledger.fx_rates where currency = 'BGN' order by rate_date") == [
                        "2025-12-30|2", "2025-12-31|2", "2026-01-02|",
                    ])
        }
    }
}
