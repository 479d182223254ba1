// SPDX-License-Identifier: Apache-2.0

import Postgres
import Testing

@testable import ReportSupport
@testable import SQLCatalog

/// Which texts the rows of a kept table follow from: when one of them changes, the table is built again.
@Suite struct TableTextsTests {
    private static func texts(_ table: String) throws -> [String] {
        try #require(MaterialisedTable.all.first { $0.name == table }).texts
    }

    @Test func `a function of the schema is one of them, and a table is not`() throws {
        let texts = try Self.texts("exclusion_reasons")
        #expect(texts.contains { $0.hasPrefix("create or replace function subledger.bookable_micros(") })
        #expect(!texts.contains { $0.contains("create table subledger.") })
    }

    @Test func `a table does not follow from a function that nothing under it names`() throws {
        #expect(
            try !Self.texts("churn_daily").contains {
                $0.contains("create or replace function subledger.access_until(")
            })
        #expect(
            try Self.texts("churn_daily").contains { $0.contains("create or replace function subledger.share_of(") })
    }

    @Test func `the steps that a table's rows are made in are among them, and come before the rows`() throws {
        let table = try #require(MaterialisedTable.intermediates.first { $0.name == "paid_periods" })
        #expect(
            table.steps.map { $0.name.split(separator: "/").last } == [
                "1_segments.sql", "2_endings.sql", "3_plan_lengths.sql",
            ])
        #expect(Set(table.steps.map(\.text)).isSubset(of: try Self.texts("churn_daily")))
    }

    @Test func `functions are cut out of files whole`() {
        let migration = Statement(
            name: "0001.sql",
            text: """
                create table a (b text);
                create function subledger.one() returns text language sql
                return 'x';

                -- A sum.
                create or replace function subledger.two() returns text language plpgsql as $$
                begin

                    return 'y';
                end;
                $$;
                create index on a (b);
                """)
        let functions = ReportSource.functions(of: migration).map(\.text)
        #expect(functions.count == 2)
        #expect(functions.first == "create function subledger.one() returns text language sql\nreturn 'x';")
        #expect(functions.last?.hasSuffix("end;\n$$;") == true)
    }

    @Test func `a function whose last line is indented is over where the next statement begins`() {
        let file = Statement(
            name: "rules.sql",
            text: """
                create function subledger.one(a bigint) returns boolean language sql
                return one.a > 1
                    and one.a < 9;

                -- The other one.
                create function subledger.two() returns bigint language sql
                return coalesce(
                    1, 2
                    );
                comment on function subledger.two is 'Two';
                """)
        let functions = ReportSource.functions(of: file).map(\.text)
        #expect(functions.count == 2)
        #expect(functions.first?.hasSuffix("and one.a < 9;") == true)
        #expect(functions.last?.hasSuffix("    );") == true)
    }
}
