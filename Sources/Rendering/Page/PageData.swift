// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model

/// The figures that the page's script draws and filters, as JSON in the page.
///
/// Amounts are micros. Nothing is left away that the tables say, so that what is chosen adds up to what is printed.
struct PageData {
    let money: PageMoney
    let reportingCurrency: String
    let texts: PageTexts
    let period: PagePeriod
    /// The last day that every app was asked about: later days are incomplete.
    let completeThrough: Int
    let notes: ReportNotes?

    func json(_ cuts: [PageCuts], titles: [String], specs: [String]) throws -> String {
        let currencies = Set(cuts.flatMap { $0.cube.values["currency"] ?? [] } + [reportingCurrency]).subtracting([""])
        let digits = currencies.sorted().map { "\(Self.text($0)):\(Money.minorDigits(of: $0))" }.joined(separator: ",")
        let reports = zip(cuts, zip(titles, specs)).map { Self.report($0, title: $1.0, spec: $1.1) }
        var head = [
            "\"language\":\(Self.text(texts.language))", "\"reporting\":\(Self.text(reportingCurrency))",
            "\"money\":\(Self.text(money.isReporting ? "" : money.currency))", "\"digits\":{\(digits)}",
            "\"firstDay\":\(period.firstDay.map(String.init) ?? "null")", "\"lastDay\":\(period.lastDay)",
            "\"firstObserved\":\(period.firstObserved)", "\"completeThrough\":\(completeThrough)",
            "\"ranges\":{\(ranges)}", "\"range\":\(Self.text(period.first.name))",
            "\"aheadDays\":\(PagePeriod.rangeDays)", "\"cardDays\":\(period.window(PagePeriod.cardDays))",
            "\"rowCount\":\(PageTables.rowCount)",
            "\"paperRows\":{\(Self.paperRows)}", "\"notes\":[\(noteList)]",
            "\"cards\":\(PageFiles.cards.text)", "\"texts\":\(try texts.json())",
        ]
        if !texts.titles.isEmpty { head.append("\"titles\":{\(appTitles)}") }
        let json = "{" + head.joined(separator: ",") + ",\"reports\":[" + reports.joined(separator: ",") + "]}"
        // No text of the data can end the element that holds it, or begin a comment there.
        return json.replacingOccurrences(of: "<", with: "\\u003c")
    }

    /// What apps are called, by id.
    private var appTitles: String {
        texts.titles.sorted { $0.key < $1.key }.map { "\(Self.text($0.key)):\(Self.text($0.value))" }
            .joined(separator: ",")
    }

    private var ranges: String {
        period.ranges.map { "\(Self.text($0.name)):\($0.days)" }.joined(separator: ",")
    }

    private static var paperRows: String {
        (PageTable.paperRows.sorted { $0.key < $1.key } + [("other", PageTable.paperRowsOfOthers)])
            .map { "\(text($0.0)):\($0.1)" }.joined(separator: ",")
    }

    /// Number, day and app of each; an empty app is all of them.
    private var noteList: String {
        (notes?.numbered ?? []).map { number, note in
            "[\(number),\(PageSpan.day(note.date.description) ?? 0),\(Self.text(note.app?.rawValue ?? ""))]"
        }.joined(separator: ",")
    }

    private static func report(_ cuts: PageCuts, title: String, spec: String) -> String {
        let cube = cuts.cube
        let columns = cube.columns.map { column in
            "{\"name\":\(text(column.name)),\"kind\":\"\(column.kind.rawValue)\",\"level\":\"\(column.level.rawValue)\""
                + ",\"converted\":\(column.reportingIndex != nil)}"
        }
        let values = cube.values.sorted { $0.key < $1.key }.map { column, values in
            "\(text(column)):[\(values.map(text).joined(separator: ","))]"
        }
        return "{\"name\":\(text(cube.name)),\"title\":\(text(title)),\"spec\":\(spec),\"columns\":["
            + columns.joined(separator: ",") + "],\"values\":{" + values.joined(separator: ",")
            + "},\"hasDays\":\(cube.hasDays),\"firstDay\":\(cube.firstSpan.map(String.init) ?? "null"),"
            + "\"days\":\(grain(cuts.days, cube.days)),\"months\":\(grain(cuts.months, cube.months))}"
    }

    private static func grain(_ cuts: [PageCuts.Cut], _ whole: PageGrain) -> String {
        let extent = whole.extent.map { "[\($0.lowerBound),\($0.upperBound)]" } ?? "null"
        return "{\"extent\":\(extent),\"cuts\":[\(cuts.map(\.json).joined(separator: ","))]}"
    }

    static func text(_ value: String) -> String {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
