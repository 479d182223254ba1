// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing

@testable import Rendering

/// How the page sums the figures of a report.
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

    private static func cube(_ rows: [[String?]]) throws -> PageCube {
        var cube = try PageCube(
            name: "revenue", spec: spec, columns: columns, first: nil, last: try #require(.init("2026-02-14")))
        for row in rows { try cube.add(row) }
        try cube.end()
        return cube
    }

    private static let dollars = PageMoney(currency: "USD", isReporting: true)

    private static func figures(
        _ cube: PageCube, _ grain: PageGrain, money: PageMoney
    ) throws -> PageLayout.Figures? {
        try PageView(cube: cube, money: money).sums(.column(""), of: grain, in: nil).values.first
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
    @Test func `what is there at the end of a span counts on its last day only, and amounts in one money`() throws {
        let cube = try Self.cube([
            ["2026-02-13", "a", "p", "DE", "EUR", "1", "8.00", "10.000000", "7"],
            ["2026-02-14", "a", "p", "DE", "EUR", "2", "0.50", "0.625000", "9"],
            ["2026-02-14", "a", "q", "GB", "GBP", "1", "5.00", nil, "1"],
        ])
        #expect(try Self.figures(cube, cube.months, money: Self.dollars) == [10, 4, 10_625_000])
        let euros = PageMoney(currency: "EUR", isReporting: false)
        #expect(try Self.figures(cube, cube.months, money: euros) == [9, 3, 8_500_000])
        let view = PageView(cube: cube, money: Self.dollars)
        let days = try view.sums(.time, of: cube.days, in: 20_000...21_000)
        #expect(days.count == 2)
        #expect(days[PageView.Group(first: "", second: "", span: 20_497)] == [7, 1, 10_000_000])
    }

    @Test func `a level that stays is written once, and falls to nothing where its rows end`() throws {
        let days = (1...14).map { String(format: "2026-02-%02d", $0) }
        let rows = days.map { day in [day, "a", "p", "DE", "EUR", "1", "1.00", "2.000000", "7"] as [String?] }
        let cube = try Self.cube(
            rows.dropLast(4) + [["2026-02-13", "a", "p", "DE", "EUR", "1", "1.00", "2.000000", "9"]])
        let group = try #require(cube.days.groups.values.first)
        let first = try #require(PageSpan.day("2026-02-01"))
        let line = group.lines[cube.layout.amount(0, inReporting: false)]
        #expect(line.entries.map(\.span) == [first, first + 10, first + 12, first + 13])
        #expect(line.entries.map(\.value) == [7, -7, 9, -9])
        // A row each day up to the tenth, and one on the thirteenth: no other day is in a table.
        let sums = try PageView(cube: cube, money: Self.dollars).sums(.time, of: cube.days, in: nil)
        #expect(sums.keys.map(\.span).sorted() == (0..<10).map { first + $0 } + [first + 12])
        #expect(sums[PageView.Group(first: "", second: "", span: first + 12)] == [9, 1, 2_000_000])
        // Nothing stands at the month's end.
        #expect(try Self.figures(cube, cube.months, money: Self.dollars) == [0, 11, 22_000_000])
    }

    @Test func `where there is too much for the page, columns are distinguished one at a time, and every sum stays`()
        throws
    {
        let rows = (0..<400).map { number -> [String?] in
            [
                "2026-02-14", "a", "p\(number % 20)", "C\(number % 19)", number % 3 == 0 ? "EUR" : "GBP", "1", "2.00",
                "3.\(100 + number)000", "0",
            ]
        }
        let cube = try Self.cube(rows)
        func columns(room: Int) throws -> [Set<String>] {
            let cuts = try PageBudget(room: room, money: Self.dollars).cuts(of: [cube])[0]
            for cut in cuts.days + cuts.months {
                #expect(try Self.figures(cube, cut.grain, money: Self.dollars) == [0, 400, 1_319_800_000])
            }
            return cuts.days.map { Set($0.grain.columns) }
        }
        #expect(try columns(room: 1_000_000) == [["app_id", "product_id", "country", "currency"]])
        // Each of the three still has its cut, as long as there is room for one at all.
        let some = try columns(room: 9_000)
        #expect(
            some.count > 1 && some.reduce(Set()) { $0.union($1) } == ["app_id", "product_id", "country", "currency"])
        #expect(try columns(room: 0) == [["app_id"]])
    }

    @Test func `a strict figure is unknown as soon as a part of it is; any other adds up what is known`() throws {
        let cube = try Self.cube([
            ["2026-02-14", "a", "p", "DE", "EUR", "1", nil, nil, "0"],
            ["2026-02-14", "a", "q", "DE", "EUR", "1", "2.00", "3.000000", "0"],
            ["2026-02-14", "a", "r", "DE", "EUR", "1", nil, nil, "0"],
        ])
        let byProduct = try PageView(cube: cube, money: Self.dollars).sums(
            .column("product_id"), of: cube.days, in: nil)
        #expect(byProduct[PageView.Group(first: "p", second: "", span: 0)] == [0, 1, nil])
        #expect(try Self.figures(cube, cube.days, money: Self.dollars) == [0, 3, 3_000_000])
        #expect(throws: ReportError.self) { try PageLine.sum(.max, 1) }
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
