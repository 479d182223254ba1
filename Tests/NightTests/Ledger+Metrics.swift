// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model

@testable import StoreSimulator

/// A line of an issued file, cell by cell.
struct ReportLine {
    /// Where each column stands.
    let header: [String: Int]
    let cells: [Substring]

    /// The lines of a CSV without quoted fields.
    static func lines(of text: String) -> [ReportLine] {
        let lines = text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let names = (lines.first ?? []).enumerated().map { (String($1), $0) }
        let header = Dictionary(names) { first, _ in first }
        return lines.dropFirst().map { ReportLine(header: header, cells: $0) }
    }

    func has(_ name: String) -> Bool { header[name] != nil }

    private func cell(_ name: String) throws -> Substring {
        guard let place = header[name], cells.indices.contains(place) else {
            throw NightError("the file has no column \(name)")
        }
        return cells[place]
    }

    func text(_ name: String) throws -> String { String(try cell(name)) }

    func known(_ name: String) throws -> String? {
        let cell = try cell(name)
        return cell.isEmpty ? nil : String(cell)
    }

    func count(_ name: String) throws -> Int {
        guard let count = try knownCount(name) else { throw NightError("the file has no \(name)") }
        return Int(count)
    }

    func knownCount(_ name: String) throws -> Int64? {
        let cell = try cell(name)
        if cell.isEmpty { return nil }
        guard let count = Int64(cell) else { throw NightError("\(cell) is no count (\(name))") }
        return count
    }

    /// "9.990000" is 9,990,000 millionths: six decimals, always.
    func knownMillionths(_ name: String) throws -> Int64? {
        let cell = try cell(name)
        // Most of them, and there are many.
        if cell == "0.000000" { return 0 }
        if cell.isEmpty { return nil }
        let parts = cell.split(separator: ".")
        guard parts.count == 2, parts[1].count == 6, let value = Int64(parts.joined()) else {
            throw NightError("\(cell) is no amount with six decimals (\(name))")
        }
        return value
    }
}

extension NightWorld {
    /// The lines of a file of a night's issue, each with the words and the figures that the books' rows have; each line must
    /// name the store of its app.
    func read(_ file: String, of night: Int, like books: [MetricRow]) throws -> [(line: ReportLine, row: MetricRow)] {
        let path = reports + "/" + Self.businessDate(of: night) + "/\(file).csv"
        let lines = ReportLine.lines(of: try String(contentsOfFile: path, encoding: .utf8))
        guard let (words, figures) = books.first.map({ ($0.words.names, $0.figures.names) }) else {
            guard lines.isEmpty else { throw NightError("\(file).csv has \(lines.count) lines, and the books none") }
            return []
        }
        // Of a column all cells are counts, or all are amounts and rates.
        let amounts = try Set(figures.filter { name in try lines.contains { try $0.text(name).contains(".") } })
        return try lines.map { line in
            if line.has("store") { try line.expectStore(file) }
            let values = try figures.map { try amounts.contains($0) ? line.knownMillionths($0) : line.knownCount($0) }
            return (line, MetricRow(Named(words, try words.map(line.known)), Named(figures, values)))
        }
    }

    /// revenue.csv of a night's issue.
    func revenueRows(of night: Int, like books: [MetricRow]) throws -> Set<MetricRow> {
        // The books know no product types: what one product sold in two of them in a day is one row of theirs.
        var rows: [Named<String>: MetricRow] = [:]
        for (line, told) in try read("revenue", of: night, like: books) {
            var row = told
            // The books know a sum of which nothing is missing, or none.
            let isWhole = try ["estimated_share", "missing_share"].allSatisfy { try line.knownMillionths($0) == 0 }
            if !isWhole { row["proceeds"] = nil }
            rows[row.words] = rows[row.words]?.together(with: row) ?? row
        }
        return Set(rows.values)
    }

    /// at_risk.csv of a night's issue.
    ///
    /// For how long depends on when it was learned, so that the books do not say it: lines that differ in nothing but
    /// their days are one row of theirs. Each amount is rounded: their sum may be off by as many micros as there are
    /// lines, and is that of the books then.
    func atRiskRows(of night: Int, like books: [MetricRow]) throws -> Set<MetricRow> {
        let lines = try read("at_risk", of: night, like: books)
        let places = Set(try lines.map { [$0.row.words.description, try $0.line.text("days_at_risk")] })
        guard places.count == lines.count else { throw NightError("at_risk.csv says something twice") }
        return Set(
            Dictionary(grouping: lines.map(\.row), by: \.words).map { place, rows in
                var sum = rows.dropFirst().reduce(rows[0]) { $0.together(with: $1) }
                if let found = sum["mrr"], let exact = books.first(where: { $0.words == place })?["mrr"],
                    abs(found - exact) < rows.count
                {
                    sum["mrr"] = exact
                }
                return sum
            })
    }
}

extension ReportLine {
    fileprivate func expectStore(_ file: String) throws {
        let isPlay = try text("app_id").contains("android")
        guard try text("store") == (isPlay ? "google_play" : "app_store") else {
            throw NightError("\(file).csv: \(cells) names another store than its app's")
        }
    }
}

extension MetricRow {
    /// What is not known of either is not known of both.
    fileprivate func together(with other: MetricRow) -> MetricRow {
        let sums = zip(figures.values, other.figures.values).map { mine, theirs in
            mine.flatMap { mine in theirs.map { mine + $0 } }
        }
        return MetricRow(words, Named(figures.names, sums))
    }
}
