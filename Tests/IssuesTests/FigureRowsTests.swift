// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// Which rows a figure is made of, what they add up to, and when they make no figure.
@Suite struct FigureRowsTests {
    private static let shape = FigureShape(
        report: "bridge",
        columns: [
            ("date", .date), ("app_id", .text), ("currency", .text), ("opening", .decimal), ("new", .decimal),
            ("closing", .decimal), ("closing_reporting", .decimal), ("reporting_currency", .text),
            ("customers", .count),
            ("churn_rate", .decimal),
        ].map { ReportColumn(name: $0, kind: $1, definition: "") },
        spec: PageSpec(
            order: 1, title: "", time: "date", ahead: nil, by: nil, sum: ["new", "customers"], first: ["opening"],
            last: ["closing"], strict: nil, ratios: nil, tables: []))

    /// Two days, two apps; the second app sells in yen, of which no rate is known on the second day.
    private static let rows: [[String?]] = [
        ["2026-05-01", "ios", "USD", "0.000000", "10.000001", "10.000001", "10.000001", "USD", "2", "0.000000"],
        ["2026-05-01", "web", "JPY", "0.000000", "500.000000", "500.000000", "5.000000", "USD", "1", "0.250000"],
        ["2026-05-02", "ios", "USD", "10.000001", "-3.500000", "6.500001", "6.500001", "USD", "1", "0.500000"],
        ["2026-05-02", "web", "JPY", "500.000000", "0.000000", "500.000000", nil, "USD", "0", nil],
    ]

    private static func amount(_ text: String) throws -> FigureAmount {
        let name = try FigureName(text)
        try shape.check(name)
        var figure = FigureRows(name, of: shape)
        for row in rows { _ = try figure.take(row) }
        guard figure.count > 0 else { throw figure.absence(in: "bridge.csv") }
        return try figure.amount()
    }

    private static func refusal(_ text: String) -> String {
        do {
            return "\(try amount(text))"
        } catch {
            return "\(error)"
        }
    }

    @Test func `one row's cell is the figure, with its currency`() throws {
        #expect(
            try Self.amount("bridge[date=2026-05-01,app_id=ios].closing")
                == FigureAmount(micros: 10_000_001, isCount: false, currency: "USD"))
        #expect(
            try Self.amount("bridge[date=2026-05-01,app_id=web].closing")
                == FigureAmount(micros: 500_000_000, isCount: false, currency: "JPY"))
        // A share stands alone, and has no currency.
        #expect(
            try Self.amount("bridge[date=2026-05-01,app_id=web].churn_rate")
                == FigureAmount(micros: 250_000, isCount: false, currency: nil))
    }

    @Test func `rows that match a partial key are added up`() throws {
        // 10.000001 − 3.5
        #expect(try Self.amount("bridge[currency=USD].new").text == "6.500001")
        // 2 + 1 + 1 + 0 customers, of whatever currency.
        #expect(try Self.amount("bridge.customers") == FigureAmount(micros: 4_000_000, isCount: true, currency: nil))
        #expect(try Self.amount("bridge.customers").text == "4")
        #expect(try Self.amount("bridge[date=2026-05-02..2026-05-09].customers").text == "1")
        // 10.000001 + 5 dollars of both apps.
        #expect(
            try Self.amount("bridge[date=2026-05-01].closing_reporting")
                == FigureAmount(micros: 15_000_001, isCount: false, currency: "USD"))
    }

    @Test func `what is unknown adds nothing, and alone is unknown`() throws {
        #expect(try Self.amount("bridge[date=2026-05-02].closing_reporting").text == "6.500001")
        #expect(try Self.amount("bridge[date=2026-05-02,app_id=web].closing_reporting").text == nil)
    }

    @Test func `several columns of a row are added up, unless they are not of a kind`() throws {
        // 10.000001 − 3.5
        #expect(try Self.amount("bridge[date=2026-05-02,app_id=ios].opening+new").text == "6.500001")
        #expect(Self.refusal("bridge[date=2026-05-02,app_id=ios].new+customers").contains("amounts and other figures"))
    }

    @Test func `what does not add up names the keys that are missing`() {
        #expect(Self.refusal("bridge[date=2026-05-01].churn_rate").hasSuffix("name one app_id, currency"))
        #expect(Self.refusal("bridge[app_id=ios].closing").hasSuffix("name one date"))
        #expect(Self.refusal("bridge[app_id=ios,date=2026-05-01..2026-05-02].opening").hasSuffix("name one date"))
        #expect(Self.refusal("bridge[date=2026-05-01].new").hasSuffix("name one currency"))
    }

    @Test func `a figure that does not exist leads to the nearest one`() {
        #expect(Self.refusal("bridge.closng") == "bridge.csv has no such column: closng; did you mean closing?")
        #expect(Self.refusal("bridge[day=2026-05-01].new").contains("no such column: day; did you mean date?"))
        #expect(
            Self.refusal("bridge[app_id=iso].customers") == "no row of bridge.csv has app_id=iso; did you mean ios?")
        #expect(
            Self.refusal("bridge[app_id=windows].customers")
                == "no row of bridge.csv has app_id=windows; it has ios, web")
        let absent = Self.refusal("bridge[date=2026-06-01..2026-06-30].customers")
        #expect(absent.hasSuffix("; it has 2026-05-01 to 2026-05-02"))
        #expect(Self.refusal("bridge[app_id=ios,currency=JPY].new").hasPrefix("no row of bridge.csv has all of"))
        #expect(Self.refusal("bridge.app_id").contains("no such column: app_id"))
    }

    @Test func `one unknown part makes a strict column unknown`() throws {
        let spec = PageSpec(
            order: 1, title: "", time: "date", ahead: nil, by: nil, sum: nil, first: nil, last: ["closing"],
            strict: ["closing"], ratios: nil, tables: [])
        let strict = FigureShape(report: "bridge", columns: Self.shape.columns, spec: spec)
        for rows in [Self.rows, Self.rows.reversed()] {
            var figure = FigureRows(try FigureName("bridge[date=2026-05-02].closing_reporting"), of: strict)
            for row in rows { _ = try figure.take(row) }
            #expect(figure.count == 2)
            #expect(try figure.amount().micros == nil)
        }
    }

    @Test func `a sum beyond sixty-four bits is refused`() throws {
        var figure = FigureRows(try FigureName("bridge.new"), of: Self.shape)
        var row = Self.rows[0]
        row[4] = "9223372036854.775807"
        _ = try figure.take(row)
        #expect(throws: CitationError.self) { try figure.take(Self.rows[0]) }
    }
}
