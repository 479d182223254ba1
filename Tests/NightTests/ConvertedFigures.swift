// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What every file of a night's issue says in the reporting currency, against what it says in the original one.
struct ConvertedFigures {
    /// Units of the reporting currency for one of another, on all days; a currency that is not here has no rate.
    let rates: [String: Int64]

    /// Each amount is so many times the original, to the rounding of that; of what has no rate there is none, and it is counted.
    func expect(_ world: NightWorld, night: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let folder = world.reports + "/" + NightWorld.businessDate(of: night)
        var files = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where name.hasSuffix(".csv") {
            let lines = ReportLine.lines(of: try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
            let columns = (lines.first?.header.keys.filter { $0.hasSuffix("_reporting") } ?? []).sorted()
            guard !columns.isEmpty else { continue }
            files += 1
            let wrong = try lines.compactMap { try difference(in: $0, columns) }
            // Of many the first says enough.
            #expect(wrong.first == nil, "\(name): \(wrong.count) lines", sourceLocation: sourceLocation)
        }
        #expect(files == 11, "files with figures in the reporting currency", sourceLocation: sourceLocation)
    }

    private func difference(in line: ReportLine, _ columns: [String]) throws -> String? {
        guard try line.text("reporting_currency") == "USD" else { return "\(line.cells): another currency" }
        let rate = rates[try line.text("currency")]
        let unconverted = try line.text("unconverted")
        if rate != nil, !["", "0"].contains(unconverted) { return "\(line.cells): unconverted \(unconverted)" }
        for column in columns {
            let original = try line.knownMillionths(String(column.dropLast("_reporting".count)))
            let converted = try line.knownMillionths(column)
            let isRight =
                switch (original, converted, rate) {
                case (let original?, let converted?, let rate?): abs(converted - rate * original) <= rate
                case (nil, nil, _), (_, nil, nil), (0?, 0?, nil): true
                default: false
                }
            if !isRight { return "\(line.cells): \(column)" }
        }
        return nil
    }
}
