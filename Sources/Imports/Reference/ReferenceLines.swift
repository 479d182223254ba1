// SPDX-License-Identifier: Apache-2.0

import Postgres

/// Reads a file's lines as rows of one reference table, each thing and day once.
struct ReferenceLines<Line: ReferenceLine> {
    struct Row: Sendable {
        let number: Int
        let line: Line
    }

    /// What a file holds.
    struct Content {
        /// Oldest first, where they have a day.
        var rows: [Row] = []
        /// Good lines, repeated ones included.
        var lineCount = 0
        var bad: [BadLine] = []
    }

    /// Rows per statement.
    private static var batchSize: Int { 5_000 }

    private let setting: ReferenceSetting

    init(_ setting: ReferenceSetting) { self.setting = setting }

    func read(_ file: ImportFile) -> Content {
        var content = Content()
        if let refusal = file.refusal ?? Line.refusal(of: file.header, for: setting) {
            content.bad = [BadLine(number: 1, reason: refusal)]
            return content
        }
        var seen: [[String]: (number: Int, content: String)] = [:]
        for line in file.lines(withDecimals: true) {
            switch rows(of: line, unlike: seen) {
            case .success(let rows):
                content.lineCount += 1
                for row in rows where seen[row.line.key] == nil {
                    seen[row.line.key] = (row.number, row.line.content)
                    content.rows.append(row)
                }
            case .failure(let reason): content.bad.append(BadLine(number: line.number, reason: reason))
            }
        }
        content.rows.sort { ($0.line.key.last ?? "", $0.number) < ($1.line.key.last ?? "", $1.number) }
        return content
    }

    /// The rows of a line, or why it is bad: it cannot be read, or an earlier line says otherwise.
    private func rows(
        of line: ImportFile.Line, unlike seen: [[String]: (number: Int, content: String)]
    ) -> Result<[Row], BadLine.Reason> {
        line.content.flatMap { fields in
            Result { () throws(BadLine.Reason) in
                let rows = try Line.read(fields, for: setting).map { Row(number: line.number, line: $0) }
                for row in rows {
                    guard let earlier = seen[row.line.key], earlier.content != row.line.content else { continue }
                    let (number, content) = (BadLine.Reason(String(earlier.number)), BadLine.Reason(earlier.content))
                    throw "it contradicts line \(number), which says \(content) for the same day"
                }
                return rows
            }
        }
    }

    /// Line numbers and one array per value, a few thousand rows at a time.
    static func batches(of rows: [Row]) -> [[PostgresValue]] {
        stride(from: 0, to: rows.count, by: batchSize).map { start in
            let batch = rows[start..<min(start + batchSize, rows.count)]
            let values = batch.map(\.line.values)
            let columns = (0..<(values.first?.count ?? 0)).map { place in
                PostgresValue.textArray(values.map { $0[place] })
            }
            return [.intArray(batch.map { Int64($0.number) })] + columns
        }
    }
}
