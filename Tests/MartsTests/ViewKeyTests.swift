// SPDX-License-Identifier: Apache-2.0

import Postgres
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// Every view of schema `report` says what it is, what its columns mean, and what its rows are told apart by.
@Suite struct ViewKeyTests {
    private struct View {
        let name: String
        let comment: String
        let columns: [(name: String, comment: String)]

        var key: [String] {
            guard let line = comment.split(separator: "\n").last, line.hasPrefix("Key: ") else { return [] }
            return line.dropFirst(5).split(separator: ",").map { $0.trimmingPrefix(" ").description }
        }
    }

    private static func views(_ world: ReportWorld) async throws -> [View] {
        let rows = try await world.connection.query(
            Statement(
                name: "views",
                text: """
                    select relation.relname::text as name, coalesce(obj_description(relation.oid, 'pg_class'), '') as comment,
                        part.attname::text as part, coalesce(col_description(relation.oid, part.attnum), '') as meaning
                    from pg_class relation
                    join pg_attribute part on part.attrelid = relation.oid and part.attnum > 0
                    where relation.relnamespace = 'report'::regnamespace and relation.relkind = 'v'
                    order by 1, part.attnum
                    """))
        var views: [String: View] = [:]
        for row in rows {
            let name = try row.string("name")
            let column = (try row.string("part"), try row.string("meaning"))
            views[name] = View(
                name: name, comment: try row.string("comment"), columns: (views[name]?.columns ?? []) + [column])
        }
        return views.values.sorted { $0.name < $1.name }
    }

    @Test func `every view and column is commented, and the key is one`() async throws {
        try await ReportWorld.with { world in
            let nights: Int64 = 6
            for seal in 1...nights { try await world.night(seal, for: "2026-04-\(9 + seal)") }
            try await MartTablesTests.report(RandomHistory(seed: 9, lineages: 60), nights: nights, to: world)
            try await MartTablesTests.refresh(world, seal: nights)
            let views = try await Self.views(world)
            #expect(
                Set(views.map(\.name)).isSuperset(
                    of: ReportCatalog.reports.map(\.name) + [
                        "transactions", "mrr_change_log", "dim_products", "dim_countries", "dim_days", "report_scope",
                    ]))
            var filled = 0
            for view in views {
                #expect(view.columns.allSatisfy { !$0.comment.isEmpty }, "\(view.name)")
                #expect(!view.comment.hasPrefix("Key: ") && !view.key.isEmpty, "\(view.name) states no key")
                #expect(Set(view.key).isSubset(of: view.columns.map(\.name)), "\(view.name): \(view.key)")
                let key = view.key.joined(separator: ", ")
                let found = try await world.connection.lines(
                    """
                    select count(*), coalesce(sum(rows), 0)
                    from (select count(*) as rows from report.\(view.name) group by \(key)) rows
                    """)
                let parts = try #require(found.first).split(separator: "|")
                #expect(parts.first == parts.last, "\(view.name): \(key) is no key")
                filled += parts.first == "0" ? 0 : 1
            }
            #expect(filled > views.count - 3)
        }
    }

    /// What reports name is found: joins lose nothing.
    @Test func `products, countries and days of every view are in the dimensions`() async throws {
        try await ReportWorld.with { world in
            let nights: Int64 = 6
            for seal in 1...nights { try await world.night(seal, for: "2026-04-\(9 + seal)") }
            try await MartTablesTests.report(RandomHistory(seed: 9, lineages: 60), nights: nights, to: world)
            try await MartTablesTests.refresh(world, seal: nights)
            var joined = 0
            for view in try await Self.views(world) where !view.name.hasPrefix("dim_") {
                let names = Set(view.columns.map(\.name))
                for (dimension, columns) in [
                    ("dim_products", ["app_id", "product_id"]), ("dim_countries", ["country"]), ("dim_days", ["date"]),
                ] where names.isSuperset(of: columns) {
                    let match = columns.map { "known.\($0) = used.\($0)" }.joined(separator: " and ")
                    let lost = try await world.connection.lines(
                        """
                        select distinct used.\(columns.joined(separator: ", used."))
                        from report.\(view.name) used
                        where used.\(columns[columns.count - 1]) is not null
                            and not exists (select from report.\(dimension) known where \(match))
                        """)
                    #expect(lost.isEmpty, "\(view.name): \(dimension) lacks \(lost)")
                    joined += 1
                }
            }
            #expect(joined > 25)
        }
    }
}
