// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import SQLCatalog

/// The figures that the page's script draws and filters, as JSON in the page.
///
/// Amounts are micros. A row is a list: span of time, numbers of the values that tell it apart, and a list of places and figures. Nothing is left away that the tables show, so that what is chosen adds up to what is printed.
struct PageData {
    let money: PageMoney
    let reportingCurrency: String
    let texts: PageTexts
    let lastDay: Int
    let firstDay: Int?
    /// The last day that every app was asked about: later days are incomplete.
    let completeThrough: Int
    /// The first day that the stores were asked on.
    let firstObserved: Int
    let notes: ReportNotes?

    func json(_ cubes: [PageCube], titles: [String], specs: [String]) throws -> String {
        let currencies = Set(cubes.flatMap { $0.values["currency"] ?? [] } + [reportingCurrency]).subtracting([""])
        let digits = currencies.sorted().map { "\(Self.text($0)):\(Money.minorDigits(of: $0))" }.joined(separator: ",")
        let reports = zip(cubes, zip(titles, specs)).map { Self.report($0, title: $1.0, spec: $1.1) }
        let head = [
            "\"language\":\(Self.text(texts.language))", "\"reporting\":\(Self.text(reportingCurrency))",
            "\"money\":\(Self.text(money.isReporting ? "" : money.currency))", "\"digits\":{\(digits)}",
            "\"lastDay\":\(lastDay)", "\"firstDay\":\(firstDay.map(String.init) ?? "null")",
            "\"firstObserved\":\(firstObserved)", "\"completeThrough\":\(completeThrough)",
            "\"dayCount\":\(PageTables.dayCount)",
            "\"rowCount\":\(PageTables.rowCount)",
            "\"paperRows\":{\(Self.paperRows)}", "\"notes\":[\(noteList)]",
            "\"cards\":\(PageFiles.cards.text)", "\"texts\":\(try texts.json())",
        ]
        let json = "{" + head.joined(separator: ",") + ",\"reports\":[" + reports.joined(separator: ",") + "]}"
        // No text of the data can end the element that holds it, or begin a comment there.
        return json.replacingOccurrences(of: "<", with: "\\u003c")
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

    private static func report(_ cube: PageCube, title: String, spec: String) -> String {
        let columns = cube.columns.map { column in
            "{\"name\":\(text(column.name)),\"kind\":\"\(column.kind.rawValue)\",\"level\":\"\(column.level.rawValue)\""
                + ",\"converted\":\(column.reportingIndex != nil)}"
        }
        let values = cube.values.sorted { $0.key < $1.key }.map { column, values in
            "\(text(column)):[\(values.map(text).joined(separator: ","))]"
        }
        return "{\"name\":\(text(cube.name)),\"title\":\(text(title)),\"spec\":\(spec),\"columns\":["
            + columns.joined(separator: ",") + "],\"values\":{" + values.joined(separator: ",")
            + "},\"hasDays\":\(cube.hasDays)"
            + ",\"days\":\(grain(cube.days, cube)),\"months\":\(grain(cube.months, cube))}"
    }

    private static func grain(_ grain: PageGrain, _ cube: PageCube) -> String {
        let keys = grain.rows.keys.sorted { left, right in
            left.span == right.span ? left.values.lexicographicallyPrecedes(right.values) : left.span < right.span
        }
        var json = "{\"keys\":[\(grain.columns.map(text).joined(separator: ","))],\"rows\":["
        for (place, key) in keys.enumerated() {
            json += place == 0 ? "[\(key.span)" : ",[\(key.span)"
            for value in key.values { json += ",\(value)" }
            json += ",[" + numbers(grain.rows[key] ?? [], grain, cube).joined(separator: ",") + "]"
            json += "]"
        }
        return json + "]}"
    }

    /// Places and figures in turn, of those that are not 0: as they are, then in the reporting currency.
    private static func numbers(_ figures: PageGrain.Figures, _ grain: PageGrain, _ cube: PageCube) -> [String] {
        figures.enumerated().compactMap { place, figure in
            let column = cube.columns[place % cube.columns.count]
            let isReporting = place >= cube.columns.count
            if isReporting ? column.reportingIndex == nil : isMixed(column, grain, cube) { return nil }
            return figure == 0 ? nil : "\(place),\(figure.map(String.init) ?? "null")"
        }
    }

    /// Amounts of several currencies are no sum.
    private static func isMixed(_ column: PageColumn, _ grain: PageGrain, _ cube: PageCube) -> Bool {
        column.kind == .money && !grain.hasCurrency && cube.values["currency"] != nil
    }

    static func text(_ value: String) -> String {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
