// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SQLCatalog
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// A page of 300,000 transactions with 50 products and 60 countries: it can be mailed, and every filter still cuts it.
///
/// The rows of the reports that grow with both are made by the server, as their views would give them: for a history too large to
/// play.
@Suite struct LargePageTests {
    private static let megabyte = 1_000_000
    private static let counted = Statement(name: "charges", text: "select count(*) as charges from charge")
    private static func request() throws -> ReportRequest {
        ReportRequest(
            seal: 1, runID: 1, businessDate: try #require(BusinessDate("2025-12-31")),
            asOf: try #require(Instant(iso8601: "2026-01-01T02:00:00Z")), directory: "")
    }

    @Test func `a page of 300,000 transactions stays below five megabytes and has its cuts`() async throws {
        try await ReportWorld.with { world in
            try await world.connection.script(Self.customers)
            let charges = try await world.connection.query(Self.counted).first
            #expect(try #require(charges).int64("charges") >= 300_000)
            let tables = try await Self.tables(world.connection)
            let page = ReportPage(
                try Self.request().identity, options: PageOptions(), tables: tables, checks: [], coverage: [],
                sources: try Self.sources(), translations: SQL.Reports.Marts.documents)
            let html = try page.html()
            let text = String(decoding: html, as: UTF8.self)
            #expect(html.count < 5 * Self.megabyte && html.count > Self.megabyte, "\(html.count)")
            let cuts = try PageBudget(money: page.money).cuts(of: tables.compactMap(\.section.cube))
            for report in ["revenue", "mrr_bridge", "recognised", "countries", "renewals"] {
                let own = try #require(cuts.first { $0.cube.name == report })
                for column in own.cube.keyColumns {
                    #expect(own.hasMonths(by: column), "\(report) by month and \(column)")
                    guard !own.days.isEmpty, !own.hasDays(by: column) else { continue }
                    // Forty currencies, each at a rate of its own every day, may be more than a day's cut has room for: it is said.
                    #expect(column == "currency", "\(report) by day and \(column)")
                    #expect(text.contains(try Self.remark(column, of: report)), "\(report) does not say so")
                }
            }
            // Whoever wants to look at it names a file.
            if let path = ProcessInfo.processInfo.environment["LARGE_PAGE"] {
                try Data(html).write(to: URL(fileURLWithPath: path))
            }
        }
    }

    private static func remark(_ column: String, of report: String) throws -> String {
        let texts = try PageTexts(language: "en", documents: [])
        return texts["byMonthOnly", "columns", texts.label(column).lowercased(), "file", "\(report).csv"]
    }

    /// Of each report its rows, those without a statement below have none.
    private static func tables(_ connection: PostgresConnection) async throws -> [ReportTable] {
        var tables: [ReportTable] = []
        for report in ReportCatalog.reports {
            let shape = try await ReportShape.read(report.name, on: connection)
            var section = try PageSection(
                report.name, page: report.page, shape: shape, of: try request().identity)
            if let rows = rows[report.name] {
                let next = Statement(name: "next rows of \(report.name)", text: "fetch 20000 from \(report.name)_rows")
                try await connection.withTransaction { connection in
                    try await connection.script(
                        "declare \(report.name)_rows cursor for \(statement(rows, shape))")
                    var fetched = try await connection.query(next)
                    while !fetched.isEmpty {
                        try section.add(fetched.map(\.texts))
                        fetched = try await connection.query(next)
                    }
                }
            }
            try section.end()
            tables.append(
                ReportTable(
                    name: report.name, fileName: report.fileName, rowCount: 1, shape: shape, section: section))
        }
        return tables
    }

    /// Columns that are not made are 0, or nothing.
    private static func statement(_ rows: (columns: String, text: String), _ shape: ReportShape) -> String {
        let made = rows.columns.split(separator: " ").map(String.init)
        let columns = shape.columns.map { column in
            if made.contains(column.name) { return "\(column.name)::text" }
            let nothing = column.kind == .count ? "'0'" : column.kind == .decimal ? "'0.000000'" : "null::text"
            return "\(nothing) as \(column.name)"
        }
        return "select \(columns.joined(separator: ", ")) from (\(rows.text)) made order by \(made[0])"
    }

    private static func sources() throws -> PageSources {
        let (spec, columns) = PageCube.windows
        let windows = try PageCube(
            name: "churn_windows", spec: spec, columns: columns, first: nil, last: try request().lastDate)
        return PageSources(
            windows: windows, missing: [],
            stamp: PageStamp(
                currency: "USD", observedSince: "2024-01-01", rateSources: nil, newestRate: nil,
                rulesComparedOn: "2025-12-01"),
            provenance: PageProvenance(
                proceeds: nil, unconverted: 0, estimated: nil, missing: nil, listed: nil), staleRates: [], gap: nil,
            lastIssue: nil)
    }

    /// Customers who come in two years, pay every thirty days for one to 23 times, and differ in product and country; forty
    /// currencies, each with a rate of its own every day.
    private static let customers = """
        create temp table charge as
        with customer as (
            select
                n, 'product.' || n % 50 as product_id, n / 7 % 60 as place, date '2024-01-01' + n * 31 % 731 as first_day,
                1 + n * 17 % 23 as months
            from generate_series(1, 45000) n
        )
        select
            n, product_id, case n % 2 when 0 then 'app_store' else 'google_play' end as store,
            'C' || chr(65 + place / 26) || chr(65 + place % 26) as country,
            case place % 40 when 0 then 'USD' else 'X' || chr(65 + place % 40 / 26) || chr(65 + place % 40 % 26) end as currency,
            day, day = first_day as is_first, first_day + months * 30 as end_day,
            (1.99 + n % 50 + place * 0.07)::numeric(12, 6) as price,
            ((1.99 + n % 50 + place * 0.07)
                * case place % 40 when 0 then 1 else 0.7 + place % 40 * 0.009731 + (day - first_day) % 97 * 0.000113 end
            )::numeric(12, 6) as converted
        from customer
        cross join generate_series(0, months - 1) month
        cross join lateral (select first_day + month * 30 as day) own
        where day <= date '2025-12-31';

        create temp table movement as
        select day, store, product_id, currency, price as came, converted as came_converted, 0.0 as went, 0.0 as went_converted
        from charge
        where is_first
        union all
        select end_day, store, product_id, currency, 0, 0, price, converted
        from charge
        where is_first and end_day <= date '2025-12-31';

        -- What a product had in a currency on each day that a page has room for, and at the ends of the months before.
        create temp table standing as
        with line as (
            select day, store, product_id, currency, sum(came) as came, sum(came_converted) as came_converted, sum(went) as went,
                sum(went_converted) as went_converted
            from (
                select * from movement
                union all
                select day::date, store, product_id, currency, 0, 0, 0, 0
                from (select distinct store, product_id, currency from charge) slice
                cross join generate_series(date '2024-01-01', date '2025-12-31', interval '1 day') day
            ) every
            group by day, store, product_id, currency
        ),
        summed as (
            select line.*, sum(came - went) over own as closing, sum(came_converted - went_converted) over own as converted
            from line
            window own as (partition by store, product_id, currency order by day)
        )
        select * from summed
        where (closing <> 0 or came <> 0 or went <> 0)
            and (day > date '2025-12-31' - 396 or extract(day from day + 1) = 1 or extract(day from day) = 1);
        """

    private static let rows: [String: (columns: String, text: String)] = [
        "revenue": (
            "date app_id store product_id country currency charges gross gross_reporting net net_reporting proceeds proceeds_reporting",
            """
            select day as date, 'acme' as app_id, store, product_id, country, currency, count(*) as charges, sum(price) as gross,
                sum(converted) as gross_reporting, sum(price) as net, sum(converted) as net_reporting,
                round(sum(price) * 0.7, 6) as proceeds, round(sum(converted) * 0.7, 6) as proceeds_reporting
            from charge
            group by day, store, product_id, country, currency
            """
        ),
        "mrr_bridge": (
            "date app_id store product_id currency opening opening_reporting new new_reporting churn_voluntary churn_voluntary_reporting closing closing_reporting",
            """
            select day as date, 'acme' as app_id, store, product_id, currency, closing - came + went as opening,
                converted - came_converted + went_converted as opening_reporting, came as new, came_converted as new_reporting,
                -went as churn_voluntary, -went_converted as churn_voluntary_reporting, closing, converted as closing_reporting
            from standing
            """
        ),
        "recognised": (
            "date app_id store product_id currency recognised recognised_reporting deferred deferred_reporting",
            """
            select day as date, 'acme' as app_id, store, product_id, currency, round(closing / 30, 6) as recognised,
                round(converted / 30, 6) as recognised_reporting, round(closing * 0.47 + (day - date '2024-01-01') % 29, 6) as deferred,
                round(converted * 0.47 + (day - date '2024-01-01') % 29, 6) as deferred_reporting
            from standing
            """
        ),
        "countries": (
            "month app_id store product_id country currency active closing_mrr closing_mrr_reporting gross gross_reporting net net_reporting",
            """
            select to_char(day, 'yyyy-mm') as month, 'acme' as app_id, store, product_id, country, currency,
                count(distinct n) as active, sum(price) as closing_mrr, sum(converted) as closing_mrr_reporting, sum(price) as gross,
                sum(converted) as gross_reporting, sum(price) as net, sum(converted) as net_reporting
            from charge
            group by 1, store, product_id, country, currency
            """
        ),
        "renewals": (
            "date app_id store product_id country currency due amount amount_reporting",
            """
            select day + 30 as date, 'acme' as app_id, store, product_id, country, currency, count(*) as due, sum(price) as amount,
                sum(converted) as amount_reporting
            from charge
            where day > date '2025-12-01'
            group by day, store, product_id, country, currency
            """
        ),
    ]
}
