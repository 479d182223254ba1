// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

@testable import Reports

/// How the page holds the figures of a report.
@Suite struct PageGrainTests {
    private static let columns = [
        "date", "app_id", "product_id", "country", "currency", "charges", "net", "net_reporting", "active",
    ]
    .map { name in
        ReportColumn(
            name: name,
            kind: name == "date"
                ? .date : ["charges", "active"].contains(name) ? .count : name.hasPrefix("net") ? .decimal : .text,
            definition: "")
    }
    private static let spec = PageSpec(
        order: 1, title: "", time: "date", ahead: nil, by: nil, sum: ["charges", "net"], first: nil, last: ["active"],
        strict: nil, ratios: nil, tables: [])

    private static func cube(room: Int = PageGrain.room, _ rows: [[String?]]) throws -> PageCube {
        var cube = try PageCube(
            name: "revenue", spec: spec, columns: columns, first: nil, last: try #require(.init("2026-02-14")),
            room: room)
        for row in rows { try cube.add(row) }
        return cube
    }

    private static func figures(_ cube: PageCube, _ grain: PageGrain, money: PageMoney) throws -> PageGrain.Figures? {
        let newest = try #require(grain.rows.keys.map(\.span).max())
        return try PageView(cube: cube, money: money).sums(.column(""), of: grain, in: 0...newest).values.first
    }

    @Test func `days and months are numbers and come back as they were`() {
        for (text, day) in [("1970-01-01", 0), ("2000-02-29", 11_016), ("2026-01-05", 20_458), ("2024-12-31", 20_088)] {
            #expect(PageSpan.day(text) == day && PageSpan.text(ofDay: day) == text)
        }
        #expect(PageSpan.month("2026-01") == 24_312 && PageSpan.text(ofMonth: 24_312) == "2026-01")
        #expect(PageSpan.month("2026-01-31") == 24_312 && PageSpan.firstDay(ofMonth: 24_312) == 20_454)
        #expect(PageSpan.day("2026-13-01") == nil && PageSpan.day("soon") == nil)
    }

    /// 8 euros are 10 dollars, and the sale of 5 pounds has no rate.
    @Test func `what stands at the end of a span counts on its last day only, and amounts in one money`() throws {
        let cube = try Self.cube([
            ["2026-02-13", "a", "p", "DE", "EUR", "1", "8.00", "10.000000", "7"],
            ["2026-02-14", "a", "p", "DE", "EUR", "2", "0.50", "0.625000", "9"],
            ["2026-02-14", "a", "q", "GB", "GBP", "1", "5.00", nil, "1"],
        ])
        let dollars = PageMoney(currency: "USD", isReporting: true)
        #expect(try Self.figures(cube, cube.months, money: dollars) == [10, 4, 10_625_000])
        let euros = PageMoney(currency: "EUR", isReporting: false)
        #expect(try Self.figures(cube, cube.months, money: euros) == [9, 3, 8_500_000])
        let view = PageView(cube: cube, money: dollars)
        let days = try view.sums(.time, of: cube.days, in: 20_000...21_000)
        #expect(days.count == 2)
        #expect(days[PageView.Group(first: "", second: "", span: 20_497)] == [7, 1, 10_000_000])
    }

    @Test func `where there is too much for the page, countries go first, then currencies, and sums stay`() throws {
        let rows = (0..<40).map { number -> [String?] in
            [
                "2026-02-14", "a", "p\(number % 2)", "C\(number)", number % 3 == 0 ? "EUR" : "GBP", "1", "2.00",
                "3.000000", "0",
            ]
        }
        let all = try Self.cube(rows)
        #expect(all.days.columns == ["app_id", "product_id", "country", "currency"] && all.days.rows.count == 40)
        let some = try Self.cube(room: 60, rows)
        #expect(some.days.columns == ["app_id", "product_id", "currency"] && some.days.rows.count == 4)
        let few = try Self.cube(room: 30, rows)
        #expect(few.days.columns == ["app_id", "product_id"] && few.days.rows.count == 2 && !few.days.hasCurrency)
        let dollars = PageMoney(currency: "USD", isReporting: true)
        for cube in [all, some, few] {
            #expect(try Self.figures(cube, cube.days, money: dollars) == [0, 40, 120_000_000])
        }
    }

    @Test func `a strict figure is unknown as soon as a part of it is; any other adds up what is known`() throws {
        #expect(try PageGrain.sum([1, 2], [nil, nil], [true, false]) == [nil, 2])
        #expect(try PageGrain.sum([nil, nil], [3, 4], [true, false]) == [nil, 4])
        #expect(throws: ReportError.self) { try PageGrain.sum([.max], [1], [false]) }
    }

    @Test func `figures that are no numbers are refused by name`() throws {
        #expect(throws: ReportError.self) {
            try Self.cube([["2026-02-14", "a", "p", "DE", "EUR", "1.5", "8.00", "10.000000", "7"]])
        }
        #expect(throws: ReportError.self) {
            try Self.cube([["2026-02-14", "a", "p", "DE", "EUR", "1", "99999999999999.0", "10.000000", "7"]])
        }
        #expect(try PageCube.figure("-0.000001", .money) == -1)
        #expect(try PageCube.figure("12.5", .money) == 12_500_000)
    }

    @Test func `shares differ by points as they are read`() {
        // 11.6 % and 13.3 %: 58 of 500, 2 of 15.
        #expect(AmountText.points(58, of: 500, against: 2, of: 15) == "−1.7")
        #expect(AmountText.points(1, of: 2, against: 1, of: 2) == "±0.0")
        #expect(AmountText.points(1, of: 0, against: 1, of: 2) == nil)
        #expect(AmountText.quotient(5, by: 2) == 2 && AmountText.quotient(-7, by: 2) == -4)
    }
}
