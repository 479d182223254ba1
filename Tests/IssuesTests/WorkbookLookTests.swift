// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// How `report.xlsx` looks to whoever works with it: formats, widths, rates, paper.
@Suite struct WorkbookLookTests {
    /// Sales in dollars, yen and dinars, all converted into dollars but those in crowns, of which no rate is known.
    private static func history(_ world: ReportWorld) async throws {
        try await world.night(1, for: "2026-02-06")
        try await world.rate("USD", "1.25", on: "2026-01-30")
        try await world.rate("JPY", "160", on: "2026-01-30")
        try await world.rate("KWD", "0.4", on: "2026-01-30")
        let (from, to) = ("2026-02-01 12:00Z", "2026-03-01 12:00Z")
        for (key, price, currency) in [
            (1, 1_234_567_890_000, "USD"), (2, 1_500_000_000, "JPY"), (3, 12_345_000, "KWD"), (4, 99_000_000, "NOK"),
        ] as [(Int64, Int64, String)] {
            var sale = Sale(key: key, id: "t\(key)", from: from, to: to, price: price, currency: currency)
            if key == 3 { (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-02-03 08:00Z", "full", 12_345_000) }
            try await world.charged(sale)
            if key == 3 { try await world.booked("refund", -12_345_000, at: "2026-02-03 08:00Z", of: sale) }
        }
    }

    private func opened(_ body: (ReadWorkbook) async throws -> Void) async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await Self.history(world)
                let issued = try await ReportStage().issue(
                    on: world.connection,
                    request: ReportRequest(
                        seal: 1, runID: 1, businessDate: try #require(BusinessDate("2026-02-06")),
                        asOf: try #require(Instant(iso8601: "2026-02-07T02:00:00Z")), directory: directory))
                try await body(try await ReadWorkbook.read(in: issued.path))
            }
        }
    }

    @Test func `amounts have the minor unit of their own currency, months are dates`() async throws {
        try await opened { book in
            let revenue = try #require(book.sheet("revenue"))
            let formats = zip(revenue.column("currency"), revenue.column("gross")).map { currency, gross in
                "\(currency?[1] ?? "") \(gross?[2] ?? "")"
            }
            #expect(
                Set(formats) == [
                    "USD #,##0.00;[Red]-#,##0.00", "JPY #,##0;[Red]-#,##0", "KWD #,##0.000;[Red]-#,##0.000",
                    "NOK #,##0.00;[Red]-#,##0.00",
                ])
            // Its counterpart in the reporting currency has cents, whatever the row's own currency has.
            #expect(
                Set(revenue.column("gross_reporting").compactMap { $0?[2] }) == ["#,##0.00;[Red]-#,##0.00"])
            let metrics = try #require(book.sheet("metrics"))
            #expect(metrics.column("month").allSatisfy { $0?[0] == "d" && $0?[1] == "2026-02-01 00:00:00" })
            #expect(metrics.column("quick_ratio").compactMap(\.self).allSatisfy { $0[2] == "#,##0.00####" })
            let matrix = try #require(book.sheet("refund_matrix"))
            #expect(matrix.column("sold_month").first??[2] == "yyyy-mm" && matrix.column("sold_month").count == 1)
        }
    }

    @Test func `the Summary names the rate of every currency in use`() async throws {
        try await opened { book in
            let summary = try #require(book.sheet("Summary"))
            let header = try #require(summary.rows.indices.first { summary.texts($0).first == "currency" })
            #expect(
                Array(summary.texts(header).prefix(6))
                    == ["currency", "converted_into", "rate", "published", "source", "remark"])
            let rates = summary.rows[(header + 1)...].indices.map { summary.texts($0).prefix(5).joined(separator: "|") }
            // 1.25 ÷ 160 dollars for a yen, 1.25 ÷ 0.4 for a dinar; none quotes a crown.
            #expect(
                rates == [
                    "JPY|USD|0.0078125|2026-01-30 00:00:00|ecb", "KWD|USD|3.125|2026-01-30 00:00:00|ecb", "NOK|USD|||",
                ])
        }
    }

    /// By arithmetic: the text that a cell shows, and the name with the filter's button, fit into the column.
    @Test func `every number and name fits its column`() async throws {
        try await opened { book in
            var looked = 0
            for sheet in book.sheets.dropFirst() {
                let tables = sheet.rows.indices.filter { row in
                    sheet.texts(row).contains { ["app_id", "month", "currency"].contains($0) }
                }
                for (row, cells) in sheet.rows.enumerated() where row >= tables.first ?? 0 {
                    for (place, cell) in cells.enumerated() {
                        guard let cell, cell[0] != "s" || tables.contains(row) else { continue }
                        #expect(
                            Double(Self.reported(cell)) <= sheet.widths[place] - (tables.contains(row) ? 2 : 0),
                            "\(sheet.name): \(cell) in \(sheet.widths[place])")
                        looked += 1
                    }
                }
            }
            #expect(looked > 300)
        }
    }

    /// Characters of a cell as it is shown.
    private static func reported(_ cell: [String]) -> Int {
        switch cell[2] {
        case "yyyy-mm-dd": 10
        case "yyyy-mm": 7
        case "yyyy-mm-dd hh:mm:ss": 19
        case "General": cell[1].count
        case let format:
            {
                let whole = cell[1].prefix { $0 != "." }
                let decimals = format.prefix { $0 != ";" }.drop { $0 != "." }.count
                return whole.count + whole.count / 3 + decimals
            }()
        }
    }

    @Test func `each sheet is printed across A4, with its header on every page`() async throws {
        try await opened { book in
            for sheet in book.sheets {
                let printed = sheet.printed
                #expect(printed.orientation == "landscape" && printed.pagesDown == 0, "\(sheet.name)")
                #expect(printed.footer == "subledger report 2026-02-06, seal 1", "\(sheet.name)")
                #expect(printed.area.hasPrefix("A1:") && printed.area.hasSuffix("\(sheet.rows.count)"), "\(sheet.name)")
                let isTable = !["README", "Summary"].contains(sheet.name)
                #expect(printed.header == (isTable ? "$1:$1" : nil), "\(sheet.name)")
                // A page has room for 220 characters of this size.
                let width = sheet.widths.reduce(0, +)
                #expect((printed.pagesAcross ?? 1) >= Int(width / 220), "\(sheet.name): \(width)")
                #expect((printed.pagesAcross ?? 1) <= Int(width / 110) + 1, "\(sheet.name): \(width)")
            }
        }
    }

    @Test func `a window says of how many rows it has the newest`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await Self.history(world)
                let request = ReportRequest(
                    seal: 1, runID: 1, businessDate: try #require(BusinessDate("2026-02-06")),
                    asOf: try #require(Instant(iso8601: "2026-02-07T02:00:00Z")), directory: directory)
                let book = ReportWorkbook(request.identity, in: directory)
                let shape = try await ReportShape.read("transactions", on: world.connection)
                try await book.open([])
                try await book.beginDetail(shape, of: 1_096_282)
                try await book.append([shape.columns.map { $0.kind == .text ? "x" : nil }])
                try await book.end()
                try await book.finish(checks: [], coverage: [], warnings: [])
                let read = try await ReadWorkbook.read(in: directory)
                let detail = try #require(read.sheet("Detail"))
                let sentence = "The newest 1 of 1,096,282 rows: all of them are the view report.transactions"
                #expect(detail.texts(3).first?.hasPrefix(sentence) == true && detail.filter?.hasSuffix("2") == true)
                let line = read.sheet("README")?.rows.map { $0.compactMap { $0?[1] } }.first { $0.first == "Detail" }
                #expect(line?.prefix(3) == ["Detail", "1", "1096282"] && line?.last?.contains(sentence) == true)
            }
        }
    }
}
