// SPDX-License-Identifier: Apache-2.0

import SQLTemplates
import Testing

/// Templates in, plain SQL out; what names nothing fails, and says where.
@Suite struct TemplateTests {
    private static let tables = TableList(tables: [
        .init(name: "periods", head: FileHead(of: "-- key: lineage_key, place\n")),
        .init(name: "changes", head: FileHead(of: "-- Every change.\n")),
    ])
    private static var scope: Template.Scope {
        Template.Scope(
            lists: ["sale": ColumnList(text: "# What is sold.\nid key\nprice\ncountry apart\n")],
            tables: { $0 == "tables" ? tables : nil },
            includes: { $0 == "planner" ? "set local work_mem = '32MB';\n" : nil })
    }

    private static func expanded(_ text: String) throws -> String {
        try Template(path: "folder/file.sql", text: text, scope: scope).expanded()
    }

    private static func error(of text: String) -> TemplateError? {
        do {
            _ = try expanded(text)
            return nil
        } catch { return error as? TemplateError }
    }

    @Test func `a block is repeated for each table, without the lines of its ends`() throws {
        let text = "begin;\n{each tables}\ndrop view new_{table};\n{end}\nend;\n"
        #expect(try Self.expanded(text) == "begin;\ndrop view new_periods;\ndrop view new_changes;\nend;\n")
    }

    @Test func `a block within a line is repeated within it`() throws {
        #expect(try Self.expanded("drop a{each tables}, {table}{end};") == "drop a, periods, changes;")
    }

    @Test func `a block is for the tables with a list at their head, or for those without`() throws {
        let with = "{each tables with key}{table}: {key}, {went.key = held}{end}"
        #expect(
            try Self.expanded(with)
                == "periods: lineage_key, place, went.lineage_key = held.lineage_key and went.place = held.place")
        #expect(try Self.expanded("{each tables without key}{table} {end}") == "changes ")
    }

    @Test func `a list is its columns, of someone, without some, or set from another row`() throws {
        #expect(try Self.expanded("{sale}") == "id, price, country")
        #expect(try Self.expanded("{held.sale}") == "held.id, held.price, held.country")
        #expect(try Self.expanded("{sale not apart}") == "id, price")
        #expect(
            try Self.expanded("{sale not key = excluded}") == "price = excluded.price, country = excluded.country")
    }

    @Test func `a block is repeated for each column of a list, which is that column alone in it`() throws {
        #expect(
            try Self.expanded("sums\n{each sale}\n    + {sale}_sum\n{end}")
                == "sums\n    + id_sum\n    + price_sum\n    + country_sum\n")
        #expect(try Self.expanded("{each sale}{sale} {end}of {sale}") == "id price country of id, price, country")
    }

    @Test func `a file is included as it is`() throws {
        #expect(try Self.expanded("begin;\n{include planner}\n") == "begin;\nset local work_mem = '32MB';\n")
    }

    @Test func `braces of SQL stay`() throws {
        let text = "select '{}', '{1,2}', 'a' ~ '^[A-Z]{3}$', '{a,b}'"
        #expect(try Self.expanded(text) == text)
    }

    @Test(arguments: [
        ("a\n\n{sales}", 3, "{sales} names no list; there are sale"),
        ("{each tables}\n{tabel}\n{end}", 2, "{tabel} names no list; there are key, sale, table"),
        ("{each tables without key}\n{key}\n{end}", 2, "{key} names no list; there are sale, table"),
        ("\n{each table}\n{end}", 2, "no folder table with tables is beside this one, or above it"),
        ("{each tables with keys}{end}", 1, "no table of tables has a line '-- keys: …' at its head"),
        ("{each tables}\n{each tables}{end}", 1, "{each tables} is not ended by {end}"),
        ("a\n{end}", 2, "{end} without an {each …} before it"),
        (
            "{each tables if key}{end}", 1,
            "{each tables if key} is none of {each tables}, {each tables with word}, {each tables without word}"
        ),
        ("{sale not there}", 1, "no column of sale has the word 'there'"),
        ("{sale nto key}", 1, "{sale nto key} is no mention of a list and no {include file}"),
        ("a\n{include plan}", 2, "there is no plan.include beside this file"),
    ])
    func `what names nothing fails, and says in which line`(text: String, line: Int, message: String) {
        #expect(Self.error(of: text) == TemplateError(path: "folder/file.sql", line: line, message: message))
    }

    @Test func `a mistake in what is included is said of its file`() {
        let scope = Template.Scope(includes: { _ in "a\n{b}\n" })
        #expect(throws: TemplateError(path: "x/y.include", line: 2, message: "{b} names no list; there are none here"))
        {
            try Template(path: "x/z.sql", text: "{include y}", scope: scope).expanded()
        }
    }

    @Test func `the head of a file is the comment that it begins with`() {
        let text = "-- key: a, b\n-- What it is for.\n-- rests on: c,\n-- rests on: d\ncreate table x ();\n-- key: e\n"
        #expect(FileHead(of: text).lists == ["key": ["a", "b"], "rests on": ["c", "d"]])
    }
}
