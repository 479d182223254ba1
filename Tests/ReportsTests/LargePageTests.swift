// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import TestSupport
import Testing

@testable import Reports

/// A page of 300,000 transactions with 50 products and 60 countries: it can be mailed, and every filter still cuts it.
@Suite struct LargePageTests {
    private static let megabyte = 1_000_000
    private static let money = PageMoney(currency: "USD", isReporting: true)
    private static let request = ReportRequest(
        seal: 1, runID: 1, businessDate: BusinessDate("2025-12-31")!, asOf: Instant(iso8601: "2026-01-01T02:00:00Z")!,
        directory: "")

    @Test func `a page of 300,000 transactions stays below five megabytes and has its cuts`() async throws {
        let books = LargeBooks(products: 50, countries: 60, charges: 300_000)
        #expect(books.charges >= 300_000)
        var shapes: [String: ReportShape] = [:]
        try await ReportWorld.with { world in
            for report in ReportCatalog.reports {
                shapes[report.name] = try await ReportShape.read(report.name, on: world.connection)
            }
        }
        let page = try ReportPage(
            request: Self.request, tables: Self.tables(books, shapes), checks: [], coverage: [], sources: Self.sources())
        let html = try page.html()
        #expect(html.count < 5 * Self.megabyte, "\(html.count)")
        #expect(html.count > 2 * Self.megabyte)
        if let path = ProcessInfo.processInfo.environment["LARGE_PAGE"] { try Data(html).write(to: URL(fileURLWithPath: path)) }
    }

    /// Of each report its rows, column by column.
    private static func tables(_ books: LargeBooks, _ shapes: [String: ReportShape]) throws -> [ReportTable] {
        var sections: [String: PageSection] = [:]
        for report in ReportCatalog.reports {
            guard let shape = shapes[report.name] else { continue }
            sections[report.name] = try PageSection(report: report, shape: shape, request: request)
        }
        func add(_ row: LargeBooks.Row, to report: String) throws {
            let columns = shapes[report]?.columns ?? []
            try sections[report]?.add([columns.map { column in row[column.name] ?? nothing(column) }])
        }
        try books.revenue { try add($0, to: "revenue") }
        try books.levels { bridge, recognised in
            try add(bridge, to: "mrr_bridge")
            try add(recognised, to: "recognised")
        }
        try books.countries { try add($0, to: "countries") }
        try books.renewals { try add($0, to: "renewals") }
        return try ReportCatalog.reports.compactMap { report in
            guard var section = sections[report.name], let shape = shapes[report.name] else { return nil }
            try section.end()
            return ReportTable(
                name: report.name, fileName: report.fileName, rowCount: 1, shape: shape,
                file: FileSummary(byteCount: 0, sha256: ""), copy: nil, section: section)
        }
    }

    private static func nothing(_ column: ReportColumn) -> String? {
        switch column.kind {
        case .count: "0"
        case .decimal: "0.000000"
        case .text, .date, .instant: nil
        }
    }

    private static func sources() throws -> PageSources {
        let (spec, columns) = PageCube.windows
        return PageSources(
            windows: try PageCube(
                name: "churn_windows", spec: spec, columns: columns, first: nil, last: request.lastDate), missing: [],
            stamp: PageStamp(
                currency: "USD", observedSince: "2024-01-01", rateSources: nil, newestRate: nil,
                rulesComparedOn: "2025-12-01"),
            provenance: PageProvenance(proceeds: nil, unconverted: 0, shares: []), staleRates: [],
            lastIssue: nil)
    }
}
