// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// `report.xlsx`, as openpyxl reads it.
@Suite struct WorkbookTests {
    /// Names that a spreadsheet would run, break or lose.
    private static let products = [
        "=1+1", "+monthly", "-monthly", "@sum(a1)", "<b>&\"plain\"", "اشتراك شهري", "🍏 gold 👩‍👩‍👧", " spaced ", "a\u{1}b",
        "_x0041_",
        "{=now()}",
    ]
    private static let longID = "1000000481802759123"

    private func request(_ directory: String, first: String? = nil) throws -> ReportRequest {
        ReportRequest(
            seal: 1, runID: 1, businessDate: try #require(BusinessDate("2026-02-06")),
            asOf: try #require(Instant(iso8601: "2026-02-07T02:00:00Z")), directory: directory,
            firstDate: first.flatMap { BusinessDate($0) })
    }

    /// Two years of sales: of odd names, of an unknown country, one paid back, one in a currency that has no rate.
    private func history(_ world: ReportWorld) async throws {
        try await world.night(1, for: "2026-02-06")
        try await world.covered(1, app: "acme-ios", due: 3, checked: 2, unread: 1)
        for (place, product) in Self.products.enumerated() {
            try await world.charged(
                Sale(
                    key: Int64(100 + place), id: "\(Self.longID)\(place)", product: product, from: "2026-01-05 12:00Z",
                    to: "2026-02-05 12:00Z", price: 9_990_000 + Int64(place), country: place == 1 ? nil : "US"))
        }
        try await world.charged(
            Sale(key: 1, id: "old", from: "2024-03-31 23:59:59Z", to: "2024-04-30 12:00Z", price: 123_456_789_012))
        var back = Sale(key: 2, id: "007", from: "2025-12-30 12:00Z", to: "2026-01-30 12:00Z")
        (back.refundedAt, back.refundKind, back.refund) = ("2026-01-02 08:00Z", "full", 9_990_000)
        try await world.charged(back)
        try await world.booked("refund", -9_990_000, at: "2026-01-02 08:00Z", of: back)
        try await world.charged(
            Sale(key: 3, id: "nok", from: "2026-01-06 12:00Z", to: "2026-02-06 12:00Z", currency: "NOK"))
    }

    /// The workbook of that history.
    private func issued(
        first: String? = nil, _ body: (ReadWorkbook, String) async throws -> Void
    ) async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await history(world)
                let issued = try await ReportStage().issue(
                    on: world.connection, request: try request(directory, first: first))
                try await body(try await ReadWorkbook.read(in: issued.path), issued.path)
            }
        }
    }

    @Test func `D5: every cell of a sheet is what its CSV file has, typed`() async throws {
        try await issued { book, _ in
            var found = 0
            for (name, lines) in book.files {
                let sheet = try #require(book.sheet(name))
                let header = try #require(lines.first)
                #expect(sheet.texts(0) == header, "\(name)")
                let isByDay = ["date", "cohort_date"].contains(header[0])
                let rows = lines.dropFirst().filter { !isByDay || $0[0] >= "2025-02-01" }
                #expect(sheet.rows.count == rows.count + 1, "\(name)")
                for (row, line) in zip(sheet.rows.dropFirst(), rows) {
                    for (cell, value) in zip(row, line) { try Self.expect(cell, value, name) }
                    found += row.count
                }
            }
            #expect(found > 5_000 && book.files.count == ReportCatalog.reports.count)
        }
    }

    private static func expect(_ cell: [String]?, _ value: String, _ report: String) throws {
        guard let cell else {
            #expect(value == "", "\(report): an empty cell where the file has \(value)")
            return
        }
        switch (cell[0], cell[2]) {
        case ("d", "yyyy-mm-dd"): #expect(cell[1] == value + " 00:00:00", "\(report)")
        case ("d", "yyyy-mm"): #expect(cell[1] == value + "-01 00:00:00", "\(report)")
        case ("n", "#,##0"): #expect(cell[1] == value && Int64(value) != nil, "\(report)")
        case ("n", "#,##0.00####"), ("n", "0.0%"), ("n", "#,##0.00;[Red]-#,##0.00"):
            #expect(Decimal(string: cell[1]) == Decimal(string: value), "\(report): \(cell) is not \(value)")
        default:
            #expect(cell[0] == "s" && (value == cell[1] || value == "'" + cell[1]), "\(report): \(cell), \(value)")
        }
    }

    @Test func `nothing in it is run, whatever products are called`() async throws {
        try await issued { book, _ in
            #expect(book.formulas == 0)
            #expect(!book.parts.contains { $0.contains("vba") || $0.contains("externalLink") })
            let cells = book.sheets.flatMap { $0.rows.flatMap { $0.compactMap(\.self) } }
            #expect(cells.allSatisfy { ["s", "n", "d"].contains($0[0]) })
            for sheet in ["revenue", "churn", "mrr_bridge", "Detail"].compactMap(book.sheet) {
                let names = sheet.column("product_id").compactMap(\.self)
                #expect(names.allSatisfy { $0[0] == "s" })
                #expect(Set(names.map { $0[1] }).isSuperset(of: Self.products), "\(sheet.name)")
            }
        }
    }

    @Test func `sheets are in order, with a frozen header and a filter`() async throws {
        try await issued { book, _ in
            let reports = ReportCatalog.reports.map(\.name).filter { $0 != "changes" }
            #expect(book.sheets.map(\.name) == ["README", "Summary"] + reports + ["changes", "Detail"])
            for sheet in book.sheets.dropFirst(2) {
                #expect(sheet.frozen == "A2", "\(sheet.name)")
                #expect(
                    sheet.filter?.hasPrefix("A1:") == true && sheet.filter?.hasSuffix("\(sheet.rows.count)") == true)
            }
            #expect(book.created == "2026-02-07T02:00:00")
        }
    }

    @Test func `Detail has single transactions with their ids as text, and no token`() async throws {
        try await issued { book, _ in
            let detail = try #require(book.sheet("Detail"))
            let ids = detail.column("transaction_id").compactMap(\.self)
            let odd = Self.products.indices.map { "\(Self.longID)\($0)" }
            #expect(ids.allSatisfy { $0[0] == "s" })
            #expect(ids.map { $0[1] } == ["nok"] + odd + ["007", "old"], "newest first")
            #expect(detail.column("subscription_key").allSatisfy { $0?[0] == "s" })
            let last = try #require(detail.rows.dropLast().last)
            let names = detail.texts(0)
            let row = Dictionary(uniqueKeysWithValues: zip(names, last.map { $0?[1] }))
            #expect(row["purchased_at"] == "2025-12-30 12:00:00" && row["refunded_at"] == "2026-01-02 08:00:00")
            #expect(row["price"] == "9.99" && row["refund"] == "9.99" && row["tax"] == .some(nil))
            #expect(names.allSatisfy { !$0.contains("token") && !$0.contains("store_key") })
        }
    }

    @Test func `charts have ranges that are filled`() async throws {
        try await issued { book, _ in
            let summary = try #require(book.sheet("Summary"))
            #expect(summary.charts.map(\.kind) == ["LineChart", "BarChart", "BarChart"])
            #expect(summary.charts.map(\.series.count) == [1, 1, 2])
            for series in summary.charts.flatMap(\.series) {
                let parts = try #require(
                    series.values.wholeMatch(of: /'?Summary'?!\$([A-Z])\$(\d+):\$([A-Z])\$(\d+)/)?.output)
                let place = try #require(parts.1.unicodeScalars.first).value - 65
                let (first, last) = (try #require(Int(parts.2)), try #require(Int(parts.4)))
                #expect(parts.1 == parts.3 && last - first + 1 == summary.column("month").count)
                #expect(summary.texts(first - 2).first == "month")
                #expect(series.categories.hasSuffix("$A$\(first):$A$\(last)"))
                #expect(series.name.hasSuffix("$\(parts.1)$\(first - 1)"))
                #expect(summary.rows[(first - 1)..<last].contains { $0[Int(place)]?[0] == "n" })
            }
            // In sight when the sheet is opened, and over no row of a table.
            let header = try #require(summary.rows.indices.first { summary.texts($0).first == "month" })
            #expect(summary.charts.allSatisfy { $0.row == 3 && $0.lastRow < header })
        }
    }

    @Test func `the Summary is what the files add up to`() async throws {
        try await issued { book, _ in
            let summary = try #require(book.sheet("Summary"))
            let months = summary.column("month").compactMap { $0?[1] }.map { String($0.prefix(7)) }
            #expect(months.first == "2024-03" && months.last == "2026-02")
            #expect(summary.column("month").allSatisfy { $0?[0] == "d" && $0?[2] == "yyyy-mm" })
            for (name, file, source) in [
                ("net_revenue", "revenue", "net_reporting"), ("refunded", "revenue", "refunded_reporting"),
                ("churned", "churn", "churned"),
            ] {
                for (month, cell) in zip(months, summary.column(name)) {
                    let sum = try Self.sum(source, of: #require(book.files[file])) { $0.hasPrefix(month) }
                    #expect(cell.flatMap { Decimal(string: $0[1]) } == sum, "\(name) \(month)")
                }
            }
            for (name, file, source) in [
                ("closing_mrr", "mrr_bridge", "closing_reporting"), ("active", "subscribers", "active"),
                ("trials", "subscribers", "trial"),
            ] {
                for (month, cell) in zip(months, summary.column(name)) {
                    let lines = try #require(book.files[file])
                    let last = lines.map { $0[0] }.filter { $0.hasPrefix(month) }.max()
                    let sum = try Self.sum(source, of: lines) { $0 == last }
                    #expect(cell.flatMap { Decimal(string: $0[1]) } == sum, "\(name) \(month)")
                }
            }
        }
    }

    /// Nil where no row of those days has the figure.
    private static func sum(
        _ column: String, of lines: [[String]], where isWanted: (String) -> Bool
    ) throws -> Decimal? {
        let place = try #require(lines.first?.firstIndex(of: column))
        let values = lines.dropFirst().filter { isWanted($0[0]) }.compactMap { Decimal(string: $0[place]) }
        return values.isEmpty ? nil : values.reduce(0, +)
    }

    @Test func `the README says what it is, how fresh, and what every column means`() async throws {
        try await issued { book, path in
            let readme = try #require(book.sheet("README"))
            let lines = readme.rows.map { $0.compactMap { $0?[1] } }
            for pair in [
                ["business date", "2026-02-06"], ["period", "the beginning to 2026-02-06"],
                ["as of", "2026-02-07T02:00:00Z"], ["time zone", "UTC"], ["seal", "1"], ["reporting currency", "USD"],
                ["note", "App Store money is as the App Store records it, not its settlement."],
                ["acme-ios", "app_store", "3", "2", "1", "done", "2026-02-07T02:00:00Z"],
            ] { #expect(lines.contains(pair), "\(pair)") }
            #expect(lines.contains { $0.first == "warning" && $0.last?.contains("unread") == true })
            #expect(lines.contains { $0.first == "checks" })
            for (name, rows) in book.files {
                let sheet = try #require(book.sheet(name))
                let counts = [name, "\(name).csv", "\(sheet.rows.count - 1)", "\(rows.count - 1)"]
                #expect(lines.contains { $0.starts(with: counts) && $0.count == 5 }, "\(name)")
            }
            for sheet in book.sheets.dropFirst() {
                // The Summary has two tables below its charts.
                let isSummary = sheet.name == "Summary"
                let headers = isSummary ? sheet.rows.indices.filter { sheet.texts($0)[1].contains("_") } : [0]
                #expect(headers.count == (isSummary ? 2 : 1))
                for column in headers.flatMap(sheet.texts) where !column.isEmpty {
                    let line = lines.first { $0.starts(with: [sheet.name, column]) }
                    #expect(line?.count == 4 && line?.last?.isEmpty == false, "\(sheet.name).\(column)")
                }
            }
            let manifest = try Manifest(json: Data(contentsOf: URL(fileURLWithPath: "\(path)/manifest.json")))
            #expect(manifest.files["report.xlsx"]?.sha256 == (try WrittenFile.describe("\(path)/report.xlsx").sha256))
        }
    }

    @Test func `the same request gives the same bytes`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await history(world)
                var books: [Data] = []
                for place in ["one", "two"] {
                    let issued = try await ReportStage().issue(
                        on: world.connection, request: try request("\(directory)/\(place)"))
                    books.append(try Data(contentsOf: URL(fileURLWithPath: "\(issued.path)/report.xlsx")))
                    // Zip files know the second they were made in; this one does not.
                    try await Task.sleep(for: .seconds(2))
                }
                #expect(books[0] == books[1] && books[0].count > 20_000)
            }
        }
    }

    @Test func `an empty ledger has a workbook, too`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await world.night(1, for: "2026-02-06")
                let issued = try await ReportStage().issue(on: world.connection, request: try request(directory))
                let book = try await ReadWorkbook.read(in: issued.path)
                #expect(book.sheets.count == ReportCatalog.reports.count + 3)
                #expect(book.sheets.dropFirst(2).allSatisfy { $0.rows.count == 1 && $0.charts.isEmpty })
                #expect(book.sheet("Summary")?.charts.isEmpty == true)
                #expect(book.sheet("README")?.rows.contains { $0.first??[1] == "no app was read yet" } == true)
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == ["2026-02-06", "latest"])
            }
        }
    }
}
