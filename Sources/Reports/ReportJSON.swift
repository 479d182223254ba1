// SPDX-License-Identifier: Apache-2.0

import Foundation

/// `report.json`: every report's columns, with their meaning, and its rows: the figures of the CSV files in one document.
///
/// Amounts, shares and rates are exact decimals as text, days are `yyyy-mm-dd`, counts are numbers, null is unknown. A row
/// is a list in the order of the columns. Keys are sorted, so that the same figures are the same bytes.
enum ReportJSON {
    static let fileName = "report.json"
    /// What ends a report, and the document.
    static let ending = [UInt8]("]}".utf8)

    private struct Document: Encodable {
        let issue: Manifest.Stamp
        let reports: [Report]
    }

    private struct Report: Encodable {
        let name: String
        let definition: String
        let columns: [Column]
        let rows: [[Value]]
    }

    private struct Column: Encodable {
        let name: String
        let type: String
        let definition: String
    }

    private enum Value: Encodable {
        case text(String?)
        case count(Int64)

        init(_ text: String?, _ kind: ReportColumn.Kind) {
            self = if kind == .count, let count = text.flatMap({ Int64($0) }) { .count(count) } else { .text(text) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text?): try container.encode(text)
            case .text(nil): try container.encodeNil()
            case .count(let count): try container.encode(count)
            }
        }
    }

    private static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }

    /// The document up to its first report.
    static func opening(_ request: ReportRequest) throws -> [UInt8] {
        Array(try encode(Document(issue: Manifest.Stamp(request), reports: [])).dropLast(ending.count))
    }

    /// What parts one report from the next.
    static let separator = [UInt8](",\n".utf8)

    /// A report up to its first row: `columns` < `definition` < `name` < `rows`.
    static func opening(of report: String, _ shape: ReportShape) throws -> [UInt8] {
        let columns = shape.columns.map { Column(name: $0.name, type: $0.kind.rawValue, definition: $0.definition) }
        let head = Report(name: report, definition: shape.definition, columns: columns, rows: [])
        return Array(try encode(head).dropLast(ending.count))
    }

    /// Some rows more; nil is NULL.
    static func rows(_ rows: [[String?]], _ columns: [ReportColumn], areFirst: Bool) throws -> [UInt8] {
        let values = rows.map { row in zip(row, columns).map { Value($0, $1.kind) } }
        return (areFirst ? [] : separator) + Array(try encode(values).dropFirst().dropLast())
    }
}
