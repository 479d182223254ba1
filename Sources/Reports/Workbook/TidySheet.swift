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
    /// Rows that there are in all, where only the newest of them come.
    let wholeCount: Int?

    /// Writes the header.
    /// - Parameters:
    ///   - firstDay: the first day of the sheet, where its first column is a day.
    ///   - wholeCount: how many rows there are, where only the newest of them come.
    init(
        _ sheet: Worksheet, definition: String, columns: [SheetColumn], firstDay: String?, isWindowOf wholeCount: Int? = nil
    ) throws(WorkbookError) {
        self.sheet = sheet
        self.name = sheet.name
        self.definition = definition
        self.columns = columns
        self.firstDay = columns.first?.kind == .date ? firstDay : nil
        self.wholeCount = wholeCount
        for (place, column) in columns.enumerated() {
            try sheet.setWidth(column.width, of: place)
            try sheet.write(.text(column.name), row: 0, column: place, style: .heading)
        }
        try sheet.freezeHeader()
    }

    /// True if it holds days from a first one on.
    var isOfLastDays: Bool { firstDay != nil }
    /// True if rows found no place, or never came.
    var isCut: Bool { (wholeCount ?? givenCount) > rowCount + earlierCount }

    func append(_ rows: [[String?]]) throws(WorkbookError) {
        for row in rows {
            givenCount += 1
            if let firstDay, let day = row.first ?? nil, day < firstDay {
                earlierCount += 1
            } else if rowCount < Self.rowLimit {
                rowCount += 1
                try write(row)
            }
        }
    }

    /// Lets people choose among the rows, once all of them are there. Whoever looks for more below the last one of a window reads
    /// where it is.
    func finish() throws(WorkbookError) {
        try sheet.filter(throughRow: rowCount, column: columns.count - 1)
        guard let wholeCount, isCut else { return }
        try sheet.write(.text(Self.extent(rowCount, of: wholeCount)), row: rowCount + 2, column: 0)
    }

    /// What a window has of its rows.
    static func extent(_ rowCount: Int, of wholeCount: Int) -> String {
        "The newest \(AmountText.count(Int64(rowCount))) of \(AmountText.count(Int64(wholeCount))) rows: all of them are the view "
            + "report.transactions, which an export (subledger report --out FOLDER) writes as transactions.csv"
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
