// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model
import Rendering
import Signing

/// The rows of an issued CSV file that a figure is made of, and the checksum of their lines.
struct IssuedRows {
    let amount: FigureAmount
    let rows: Citation.Rows
    let shape: FigureShape

    /// `columns`: as the database describes them today; the file's header says which there are, and in what order.
    ///
    /// `place`: what the file is called in an error.
    init(
        _ name: FigureName, in contents: Data, columns: [ReportColumn], spec: PageSpec?, place: String
    ) throws {
        var records = CSVRecords([UInt8](contents)[...])
        let header = records.next()?.fields ?? []
        shape = FigureShape(
            report: name.report,
            columns: header.map { column in
                columns.first { $0.name == column } ?? ReportColumn(name: column, kind: .text, definition: "")
            }, spec: spec)
        try shape.check(name)
        var figure = FigureRows(name, of: shape)
        let digest = try RunningSHA256()
        for record in records where record.fields.count == header.count {
            // An empty text and an unknown value are the same to a name.
            guard try figure.take(record.fields.map { $0.isEmpty ? nil : $0 }) else { continue }
            try digest.update(record.bytes + [UInt8(ascii: "\n")])
        }
        guard figure.count > 0 else { throw figure.absence(in: place) }
        amount = try figure.amount()
        rows = Citation.Rows(count: figure.count, sha256: Hex.encode(try digest.finish()))
    }
}
