// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The movements of MRR are in one list, sql/movement.columns, and whatever names them for people names all of them in its order.
@Suite struct MovementListTests {
    private static let folder = "sql/reports/marts/mrr_bridge"

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }

    private static func movements() throws -> [String] {
        let lines = try text("sql/movement.columns").split(separator: "\n").filter { !$0.hasPrefix("#") }
        try #require(lines.count > 10)
        return lines.map(String.init)
    }

    private struct Page: Decodable {
        struct Table: Decodable { let columns: [String]? }

        let sum: [String]
        let first: [String]
        let last: [String]
        let tables: [Table]
        let charts: [Table]
        let from: [String: [String]]
    }

    private struct Words: Decodable { let columns: [String: String] }

    @Test func `the page adds all of them up, and has all of them between opening and closing`() throws {
        let page = try JSONDecoder().decode(Page.self, from: Data(try Self.text("\(Self.folder)/page.json").utf8))
        let movements = try Self.movements()
        #expect(page.sum == movements)
        #expect(page.from["closing"] == movements)
        let named = (page.tables + page.charts).compactMap(\.columns)
        #expect(named.count == 3)
        for columns in named {
            #expect(Array(columns.prefix { $0 != "growth" }) == page.first + movements + page.last)
        }
    }

    @Test func `every one of them has its meaning, and so has its amount in the reporting currency, in both languages`()
        throws
    {
        let japanese = try JSONDecoder().decode(Words.self, from: Data(try Self.text("\(Self.folder)/ja.json").utf8))
        let comments = try Self.text("\(Self.folder)/columns.sql").matches(of: /comment on column mrr_bridge\.(\w+) is/)
            .map { String($0.1) }
        let (first, last) = (["opening"], ["closing"])
        let figures = first + (try Self.movements()) + last
        let columns =
            ["date", "app_id", "store", "product_id", "currency"] + figures + figures.map { "\($0)_reporting" }
            + ["reporting_currency", "unconverted"]
        #expect(comments == columns)
        #expect(Set(japanese.columns.keys) == Set(columns))
    }
}
