// SPDX-License-Identifier: Apache-2.0

import Foundations
import Model
import SQLCatalog
import Testing

@testable import Rendering

/// The headline figures and the words around them, from rows written by hand.
@Suite struct PageCardTests {
    private static let money = PageMoney(currency: "USD", isReporting: true)

    private static func column(_ name: String, _ kind: ReportColumn.Kind) -> ReportColumn {
        ReportColumn(name: name, kind: kind, definition: "")
    }

    private static func cube(
        _ report: String, _ columns: [ReportColumn], first: String? = nil, last: String, _ rows: [[String?]]
    ) throws -> PageCube {
        let document = try #require(
            SQL.Reports.Marts.documents.first { $0.name.hasSuffix("/\(report)/page.json") })
        var cube = try PageCube(
            name: report, spec: try PageSpec.read(document.text, of: report), columns: columns,
            first: first.flatMap(BusinessDate.init), last: try #require(.init(last)))
        for row in rows { try cube.add(row) }
        try cube.end()
        return cube
    }

    private static func period(first: String? = nil, last: String, observed: String = "2020-01-01") throws -> PagePeriod
    {
        PagePeriod(
            firstDay: first.flatMap(PageSpan.day), lastDay: try #require(PageSpan.day(last)),
            firstObserved: try #require(PageSpan.day(observed)))
    }

    private static func cards(_ cubes: [PageCube], _ period: PagePeriod, language: String = "en") throws -> [PageCards
        .Text]
    {
        try PageCards(
            cubes: cubes, money: money,
            texts: try PageTexts(language: language, documents: SQL.Reports.Marts.documents), period: period,
            company: nil
        ).all()
    }

    private static func trials(_ rows: [[String?]], last: String) throws -> PageCube {
        let columns =
            [("cohort_date", .date), ("app_id", .text), ("store", .text), ("product_id", .text)]
            + ["started", "converted", "refunded", "pending", "ended"].map { ($0, ReportColumn.Kind.count) }
        return try cube("trials", columns.map(column), last: last, rows)
    }

    /// 14 of 34 are 41.2 %: those who ended without paying are 15, and 14 of 29 would be 48.3 %.
    @Test func `trial conversion is of all that started, and says how many are pending`() throws {
        let cube = try Self.trials(
            [
                ["2026-02-01", "a", "app_store", "p", "20", "9", "0", "1", "10"],
                ["2026-02-10", "a", "app_store", "q", "14", "5", "1", "4", "5"],
            ], last: "2026-02-14")
        let card = try #require(
            try Self.cards([cube], try Self.period(last: "2026-02-14")).first { $0.id == "trialConversion" })
        #expect(card.label == "Trial conversion, 30 days" && card.figure == "41.2%")
        #expect(card.detail == "14 of 34, 5 pending")
        let japanese = try #require(
            try Self.cards([cube], try Self.period(last: "2026-02-14"), language: "ja").first {
                $0.id == "trialConversion"
            })
        #expect(japanese.figure == card.figure && japanese.detail == "34 件中 14 件、継続中 5 件")
    }

    private static func revenue(_ days: [(String, String)], first: String?, last: String) throws -> PageCube {
        let columns =
            [("date", .date)]
            + ["app_id", "store", "product_id", "country", "currency"].map { ($0, ReportColumn.Kind.text) }
            + [("charges", .count), ("refunds", .count)]
            + ["gross", "refunded", "net", "proceeds"].flatMap {
                [($0, ReportColumn.Kind.decimal), ($0 + "_reporting", .decimal)]
            }
            + [("unconverted", .count), ("product_type", .text)]
        return try cube(
            "revenue", columns.map(column), first: first, last: last,
            days.map { day, net in
                [
                    day, "a", "app_store", "p", "US", "USD", "1", "0", net, net, "0", "0", net, net, net, net, "0",
                    "auto_renewable",
                ]
            })
    }

    /// A report of seven days adds up seven of them, and one of forty has nothing whole to compare thirty days with.
    @Test func `labels are those of the days that were added up`() throws {
        let week = try Self.period(first: "2026-02-08", last: "2026-02-14")
        let cube = try Self.revenue(
            [("2026-02-08", "1.00"), ("2026-02-14", "2.50")], first: "2026-02-08", last: "2026-02-14")
        let card = try #require(try Self.cards([cube], week).first { $0.id == "netRevenue30" })
        #expect(card.label == "Net revenue, 7 days" && card.figure == "3.50" && card.changes.isEmpty)
        #expect(week.ranges.map(\.days) == [7] && week.first.days == 7)
        let forty = try Self.period(first: "2026-01-06", last: "2026-02-14")
        let longer = try Self.revenue(
            [("2026-01-08", "1.00"), ("2026-02-14", "2.50")], first: "2026-01-06", last: "2026-02-14")
        let whole = try #require(try Self.cards([longer], forty).first { $0.id == "netRevenue30" })
        #expect(whole.label == "Net revenue, 30 days" && whole.figure == "2.50" && whole.changes.isEmpty)
        #expect(forty.ranges.map(\.days) == [30, 40] && forty.first.days == 40)
        let all = try Self.period(last: "2026-02-14")
        #expect(all.ranges.map(\.days) == [30, 90, 396] && all.first.days == 90)
        #expect(
            try Self.cards([longer], all).first { $0.id == "netRevenue30" }?.changes == [
                "+150.0% against 30 days before"
            ])
    }

    /// MRR of 10 in January's cohorts; the stores were first asked on 2 February.
    @Test func `what is older than the first question is marked, and its section says how it bends`() throws {
        let cube = try Self.trials(
            [["2026-01-20", "a", "app_store", "p", "1", "1", "0", "0", "0"]], last: "2026-02-14")
        let texts = try PageTexts(language: "en", documents: SQL.Reports.Marts.documents)
        let old = try Self.period(last: "2026-02-14", observed: "2026-02-02")
        let cuts = try PageBudget(money: Self.money).cuts(of: [cube])[0]
        let remarks = PageRemarks(cuts: cuts, texts: texts, period: old).sentences
        #expect(remarks.count == 1 && remarks[0].hasPrefix("Observed since 2026-02-02."))
        let view = PageView(cube: cube, money: Self.money)
        let tables = try PageTables(view: view, cuts: cuts, texts: texts, period: old).all()
        #expect(tables[0].rows.map(\.label) == ["2026-01"] && tables[0].rows[0].isBefore)
        #expect(tables[0].total?.cells.last == "100.0%")
        // A month that the page is about only from its second day on, which was observed.
        let part = try Self.period(first: "2026-02-03", last: "2026-02-14", observed: "2026-02-02")
        #expect(!part.isBefore(month: try #require(PageSpan.month("2026-02"))))
        let since = try Self.period(last: "2026-02-14", observed: "2026-01-01")
        #expect(PageRemarks(cuts: cuts, texts: texts, period: since).sentences.isEmpty)
        #expect(try !PageTables(view: view, cuts: cuts, texts: texts, period: since).all()[0].rows[0].isBefore)
    }
}
