// SPDX-License-Identifier: Apache-2.0

import Model
import StoreSimulator

/// A line of an issued file, cell by cell.
struct ReportLine {
    let cells: [String: String]

    func text(_ name: String) throws -> String {
        guard let text = cells[name] else { throw NightError("the file has no column \(name)") }
        return text
    }

    func known(_ name: String) throws -> String? {
        let text = try text(name)
        return text.isEmpty ? nil : text
    }

    func count(_ name: String) throws -> Int {
        guard let count = Int(try text(name)) else { throw NightError("\(try text(name)) is no count (\(name))") }
        return count
    }

    /// "9.990000" is 9,990,000 millionths: six decimals, always.
    func millionths(_ name: String) throws -> Int64 {
        guard let value = try knownMillionths(name) else { throw NightError("the file has no \(name)") }
        return value
    }

    func knownMillionths(_ name: String) throws -> Int64? {
        guard let text = try known(name) else { return nil }
        let parts = text.split(separator: ".")
        guard parts.count == 2, parts[1].count == 6, let value = Int64(parts.joined()) else {
            throw NightError("\(text) is no amount with six decimals (\(name))")
        }
        return value
    }
}

extension BridgeRow {
    init(_ line: ReportLine) throws {
        var movements: [Movement: Int64] = [:]
        for movement in Movement.allCases { movements[movement] = try line.millionths(movement.rawValue) }
        guard try line.millionths("fx") == 0 else { throw NightError("rates are frozen, and yet fx is not zero") }
        self.init(
            date: try line.text("date"), appID: try line.text("app_id"), productID: try line.text("product_id"),
            currency: try line.text("currency"), opening: try line.millionths("opening"), movements: movements,
            closing: try line.millionths("closing"))
    }
}

extension NightWorld {
    /// A file of a night's issue, in the words of the books; each line must name the store of its app.
    func rows<Row: Hashable>(_ file: String, of night: Int, _ read: (ReportLine) throws -> Row) throws -> Set<Row> {
        let lines = try csv(file, of: night).map(ReportLine.init)
        for line in lines where line.cells["store"] != nil {
            let isPlay = try line.text("app_id").contains("android")
            guard try line.text("store") == (isPlay ? "google_play" : "app_store") else {
                throw NightError("\(file).csv: \(line.cells) names another store than its app's")
            }
        }
        let rows = try lines.map(read)
        guard Set(rows).count == rows.count else { throw NightError("\(file).csv says something twice") }
        return Set(rows)
    }
}
