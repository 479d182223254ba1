// SPDX-License-Identifier: Apache-2.0

import Workbook

/// A sheet with one header and typed rows below it, written as its rows come.
final class TidySheet {
    /// Rows of a sheet below its header, at most.
    static let rowLimit = 1_000_000

    let name: String
    let definition: String
    let columns: [SheetColumn]
    /// Rows that stand in it.
    private(set) var rowCount = 0
    /// Rows that came.
    private(set) var givenCount = 0
    /// Rows that came from before the first day.
    private(set) var earlierCount = 0

    private let sheet: Worksheet
    private let firstDay: String?
    private let limit: Int

    /// Writes the header.
    /// - Parameter firstDay: the first day of the sheet, where its first column is a day.
    init(
        _ sheet: Worksheet, definition: String, columns: [SheetColumn], firstDay: String?, limit: Int = rowLimit
    ) throws(WorkbookError) {
        self.sheet = sheet
        self.name = sheet.name
        self.definition = definition
        self.columns = columns
        self.firstDay = columns.first?.kind == .date ? firstDay : nil
        self.limit = limit
        for (place, column) in columns.enumerated() {
            try sheet.setWidth(column.width, of: place)
            try sheet.write(.text(column.name), row: 0, column: place, style: .heading)
        }
        try sheet.freezeHeader()
    }

    /// True if it holds days from a first one on.
    var isOfLastDays: Bool { firstDay != nil }
    /// True if rows found no place.
    var isCut: Bool { givenCount > rowCount + earlierCount }

    func append(_ rows: [[String?]]) throws(WorkbookError) {
        for row in rows {
            givenCount += 1
            if let firstDay, let day = row.first ?? nil, day < firstDay {
                earlierCount += 1
            } else if rowCount < limit {
                rowCount += 1
                try write(row)
            }
        }
    }

    /// Lets people choose among the rows, once all of them are there.
    func finish() throws(WorkbookError) {
        try sheet.filter(throughRow: rowCount, column: columns.count - 1)
    }

    func insert(_ chart: Chart, row: Int) throws(WorkbookError) {
        try sheet.insert(chart, row: row, column: columns.count + 1)
    }

    private func write(_ row: [String?]) throws(WorkbookError) {
        for (place, column) in columns.enumerated() {
            let cell = column.cell(row[place])
            var style = column.style
            // A number with more digits than a spreadsheet keeps is text, in a column of numbers.
            if case .text = cell { style = .plain }
            try sheet.write(cell, row: rowCount, column: place, style: style)
        }
    }
}
