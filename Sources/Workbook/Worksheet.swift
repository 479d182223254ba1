// SPDX-License-Identifier: Apache-2.0

import CXLSXWriter
import Glibc

/// A sheet of a workbook.
///
/// Rows and columns count from 0, and rows are written from the top to the bottom.
@safe
package struct Worksheet {
    /// Rows of a sheet.
    package static let rowLimit = 1_048_576

    package let name: String
    private let handle: UnsafeMutablePointer<lxw_worksheet>
    /// The owner of what `handle` points to.
    private let workbook: Workbook

    init(handle: UnsafeMutablePointer<lxw_worksheet>, name: String, workbook: Workbook) {
        unsafe self.handle = handle
        self.name = name
        self.workbook = workbook
    }

    package func write(
        _ cell: Cell, row: Int, column: Int, style: CellStyle = .plain
    ) throws(WorkbookError) {
        try beOpen()
        let (row, column) = (UInt32(row), UInt16(column))
        let format = unsafe workbook.format(style)
        let outcome =
            switch cell {
            case .empty: LXW_NO_ERROR
            case .number(let number): unsafe worksheet_write_number(handle, row, column, number, format)
            case .text(let text):
                unsafe worksheet_write_string(handle, row, column, CellText.writable(text), format)
            }
        try WorkbookError.check(outcome, "write row \(row + 1) of the sheet \(name)")
    }

    /// `width`: in characters.
    package func setWidth(_ width: Double, of column: Int) throws(WorkbookError) {
        try beOpen()
        try WorkbookError.check(
            unsafe worksheet_set_column(handle, UInt16(column), UInt16(column), width, nil),
            "set column \(column) of the sheet \(name)")
    }

    /// Row 0 stays in sight.
    package func freezeHeader() throws(WorkbookError) {
        try beOpen()
        unsafe worksheet_freeze_panes(handle, 1, 0)
    }

    /// Lets people choose rows, from their header on.
    package func filter(fromRow header: Int, throughRow row: Int, column: Int) throws(WorkbookError) {
        try beOpen()
        try WorkbookError.check(
            unsafe worksheet_autofilter(handle, UInt32(header), 0, UInt32(row), UInt16(column)),
            "filter the rows of the sheet \(name)")
    }

    /// Puts a chart of this sheet's cells on it, so many pixels from its left side.
    package func insert(_ chart: Chart, row: Int, left: Int) throws(WorkbookError) {
        let made = try unsafe chart.make(in: workbook.handle(), of: name)
        let description = unsafe strdup(chart.description)
        defer { unsafe free(description) }
        var options = unsafe lxw_chart_options()
        unsafe options.x_offset = Int32(left)
        unsafe options.x_scale = Chart.widthScale
        unsafe options.y_scale = 1
        unsafe subledger_set_description(&options, description)
        try WorkbookError.check(
            unsafe worksheet_insert_chart_opt(handle, UInt32(row), 0, made, &options),
            "put the chart \(chart.title) on the sheet \(name)")
    }

    /// The library's own, while the workbook is open.
    func withHandle(
        _ body: (UnsafeMutablePointer<lxw_worksheet>) throws(WorkbookError) -> Void
    ) throws(WorkbookError) {
        try beOpen()
        try unsafe body(handle)
    }

    private func beOpen() throws(WorkbookError) {
        guard workbook.isOpen else {
            throw WorkbookError(.library, "the sheet \(name) belongs to a workbook that is already closed")
        }
    }
}
