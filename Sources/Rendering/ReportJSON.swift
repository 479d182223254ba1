// SPDX-License-Identifier: Apache-2.0

import Foundations
import Model

/// `report.json`: every report's columns, with their meaning, and its rows: the figures of the CSV files in one document; and the
/// owner's notes.
///
/// Amounts, shares and rates are exact decimals as text, days are `yyyy-mm-dd`, counts are numbers, null is unknown. A row
/// is a list in the order of the columns. Keys are sorted, so that the same figures are the same bytes.
package enum ReportJSON {
    package static let fileName = "report.json"
    /// What ends a report, and the document.
    package static let ending = [UInt8]("]}".utf8)

    private struct Document: Encodable {
        let issue: ReportStamp
        let notes: [Note]
        let reports: [Report]
    }

    private struct Note: Encodable {
        let number: Int
        let date: String
        let appID: String?
        let text: String

        private enum CodingKeys: String, CodingKey {
            case number, date
            case appID = "app_id"
            case text
        }

        func encode(to encoder: any Encoder) throws {
            var note = encoder.container(keyedBy: CodingKeys.self)
            try note.encode(number, forKey: .number)
            try note.encode(date, forKey: .date)
            // Null where it is about all apps; the synthesized one would leave it out.
            try note.encode(appID, forKey: .appID)
            try note.encode(text, forKey: .text)
        }
    }

    private struct Report: Encodable {
        let name: String
        let definition: String
        let columns: [Column]
        let rows: [String]
    }

    private struct Column: Encodable {
        let name: String
        let type: String
        let definition: String
    }

    /// The document up to its first report: `issue` < `notes` < `reports`.
    package static func opening(_ report: ReportIdentity) throws -> [UInt8] {
        let notes = (report.notes?.numbered ?? []).map { number, note in
            Note(number: number, date: note.date.description, appID: note.app?.rawValue, text: note.text)
        }
        let document = Document(issue: ReportStamp(report), notes: notes, reports: [])
        return Array(try JSONText.encode(document).dropLast(ending.count))
    }

    /// What parts one report from the next.
    package static let separator = [UInt8](",\n".utf8)

    /// A report up to its first row: `columns` < `definition` < `name` < `rows`.
    package static func opening(of report: String, _ shape: ReportShape) throws -> [UInt8] {
        let columns = shape.columns.map { Column(name: $0.name, type: $0.kind.rawValue, definition: $0.definition) }
        let head = Report(name: report, definition: shape.definition, columns: columns, rows: [])
        return Array(try JSONText.encode(head).dropLast(ending.count))
    }

    /// Some rows more; nil is NULL.
    ///
    /// Cells are put down by hand: for three years of days an encoder takes half of the program's time.
    package static func rows(_ rows: [[String?]], _ columns: [ReportColumn], areFirst: Bool) throws -> [UInt8] {
        var bytes: [UInt8] = areFirst ? [] : separator
        for (place, row) in rows.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "["))
            for (column, cell) in row.enumerated() {
                if column > 0 { bytes.append(UInt8(ascii: ",")) }
                try append(cell, columns[column].kind, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        }
        return bytes
    }

    private static func append(_ cell: String?, _ kind: ReportColumn.Kind, to bytes: inout [UInt8]) throws {
        guard let cell else { return bytes.append(contentsOf: "null".utf8) }
        if kind == .count, Int64(cell) != nil {
            bytes.append(contentsOf: cell.utf8)
        } else if cell.utf8.allSatisfy(isPlain) {
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: cell.utf8)
            bytes.append(UInt8(ascii: "\""))
        } else {
            bytes += try JSONText.encode(cell)
        }
    }

    /// ASCII that stands in JSON text as it is.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
