// SPDX-License-Identifier: Apache-2.0

import Model
import Workbook

/// A table with one header and typed rows below it, written as its rows come: nearly always a whole sheet.
final class TidySheet {
    /// Rows below the header, at most.
    static let rowLimit = 1_000_000

    let name: String
    let definition: String
    let columns: [SheetColumn]
    /// The row of the header, from 0 on.
    let top: Int
    /// Rows that there are in all, where only the newest of them come.
    let wholeCount: Int?
    /// Rows that stand in it.
    private(set) var rowCount = 0
    /// Rows that came.
    private(set) var givenCount = 0
    /// Rows that came from before the first day.
    private(set) var earlierCount = 0

    private let sheet: Worksheet
    private let firstDay: String?
    /// The columns that hold currencies of amounts, and of each column which of them.
    private let currencies: [Int]
    private let currencyOfColumn: [Int?]
    private var widthsOfCells: [ColumnWidth]

    /// Writes the header.
    ///
    /// `firstDay`: the first day of the sheet, where its first column is a day.
    /// `wholeCount`: how many rows there are, where only the newest of them come.
    /// `top`: the row of the header, where other things stand above it.
    init(
        _ sheet: Worksheet, definition: String, columns: [SheetColumn], firstDay: String? = nil,
        isWindowOf wholeCount: Int? = nil, top: Int = 0
    ) throws(WorkbookError) {
        self.sheet = sheet
        self.name = sheet.name
        self.definition = definition
        self.columns = columns
        self.firstDay = columns.first?.kind == .date ? firstDay : nil
        self.wholeCount = wholeCount
        self.top = top
        let currencyColumns = columns.map { column in Self.currency(of: column, among: columns) }
        let currencies = Set(currencyColumns.compactMap(\.self)).sorted()
        self.currencies = currencies
        currencyOfColumn = currencyColumns.map { column in column.flatMap { currencies.firstIndex(of: $0) } }
        widthsOfCells = columns.map(ColumnWidth.init)
        for (place, column) in columns.enumerated() {
            try sheet.write(.text(column.name), row: top, column: place, style: .heading)
        }
        if top == 0 { try sheet.freezeHeader() }
    }

    /// True if it holds days from a first one on.
    var isOfLastDays: Bool { firstDay != nil }
    /// True if rows found no place, or never came.
    var isCut: Bool { (wholeCount ?? givenCount) > rowCount + earlierCount }
    /// The row of its last one; the header's, where it has none.
    var lastRow: Int { top + rowCount }
    /// Of its columns, in characters.
    var widths: [Double] { widthsOfCells.map(\.characters) }

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

    /// Lets people choose among the rows, once all of them are there.
    ///
    /// Whoever looks for more below the last one of a window reads where it is.
    ///
    /// `footer`: of its printed pages.
    func finish(footer: String) throws(WorkbookError) {
        try filter()
        for (place, width) in widths.enumerated() { try sheet.setWidth(width, of: place) }
        try sheet.setPrintLayout(
            PrintLayout(
                lastRow: lastRow, headerRow: top, keyColumns: columns.prefix { $0.isKey }.count, widths: widths,
                footer: footer))
        guard let wholeCount, isCut else { return }
        try sheet.write(.text(Self.extent(rowCount, of: wholeCount)), row: lastRow + 2, column: 0)
    }

    func filter() throws(WorkbookError) {
        try sheet.filter(fromRow: top, throughRow: lastRow, column: columns.count - 1)
    }

    /// What a window has of its rows.
    static func extent(_ rowCount: Int, of wholeCount: Int) -> String {
        "The newest \(AmountText.count(Int64(rowCount))) of \(AmountText.count(Int64(wholeCount))) rows: all of them are the view "
            + "report.transactions, which an export (subledger report --out FOLDER) writes as transactions.csv"
    }

    private static func currency(of column: SheetColumn, among columns: [SheetColumn]) -> Int? {
        guard column.kind == .amount else { return nil }
        let own = column.name.hasSuffix("_reporting") ? nil : columns.firstIndex { $0.name == "currency" }
        return own ?? columns.firstIndex { $0.name == "reporting_currency" }
    }

    private func write(_ row: [String?]) throws(WorkbookError) {
        let minorDigits = currencies.map { Money.minorDigits(of: row[$0]) }
        for (place, column) in columns.enumerated() {
            let cell = column.cell(row[place])
            let digits = currencyOfColumn[place].map { minorDigits[$0] } ?? 2
            widthsOfCells[place].take(row[place], digits: digits)
            var style = column.style(digits: digits)
            // A number with more digits than a spreadsheet keeps is text, in a column of numbers.
            if case .text = cell { style = .plain }
            try sheet.write(cell, row: lastRow, column: place, style: style)
        }
    }
}
