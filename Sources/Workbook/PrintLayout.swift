// SPDX-License-Identifier: Apache-2.0

import CXLSXWriter

/// How a sheet is printed: on A4 across, from its first cell to its last one.
package struct PrintLayout: Sendable {
    /// Characters that a page has room for, small as they then are.
    private static let room = 220.0

    /// Counted from 0.
    let lastRow: Int
    let lastColumn: Int
    /// Stands at the top of every page; nil: no row.
    let headerRow: Int?
    /// At the left of every page: as many of those that tell rows apart as half of it has room for.
    let keyColumns: Int
    let pagesAcross: Int
    /// At the foot of every page, beside the sheet's name and the page's number.
    let footer: String

    /// `keyColumns`: the first so many columns tell rows apart.
    ///
    /// `widths`: of all columns, in characters.
    package init(lastRow: Int, headerRow: Int?, keyColumns: Int, widths: [Double], footer: String) {
        self.lastRow = lastRow
        self.lastColumn = max(widths.count - 1, 0)
        self.headerRow = headerRow
        self.footer = footer
        let whole = widths.reduce(0, +)
        var (repeated, keys) = (0, 0.0)
        while whole > Self.room, repeated < keyColumns, keys + widths[repeated] <= Self.room / 2 {
            keys += widths[repeated]
            repeated += 1
        }
        self.keyColumns = repeated
        pagesAcross = max(1, Int(((whole - keys) / (Self.room - keys)).rounded(.up)))
    }
}

extension Worksheet {
    /// Says how the sheet is printed.
    package func setPrintLayout(_ layout: PrintLayout) throws(WorkbookError) {
        try unsafe withHandle { sheet throws(WorkbookError) in
            unsafe worksheet_set_landscape(sheet)
            unsafe worksheet_set_paper(sheet, 9)
            unsafe worksheet_set_margins(sheet, 0.4, 0.4, 0.5, 0.6)
            unsafe worksheet_fit_to_pages(sheet, UInt16(layout.pagesAcross), 0)
            // Across first, then down: a row's pages lie beside each other.
            unsafe worksheet_print_across(sheet)
            try WorkbookError.check(
                unsafe worksheet_print_area(sheet, 0, 0, UInt32(layout.lastRow), UInt16(layout.lastColumn)),
                "set what is printed of the sheet \(name)")
            if let header = layout.headerRow { unsafe worksheet_repeat_rows(sheet, UInt32(header), UInt32(header)) }
            if layout.keyColumns > 0 { unsafe worksheet_repeat_columns(sheet, 0, UInt16(layout.keyColumns - 1)) }
            try WorkbookError.check(
                unsafe worksheet_set_footer(sheet, "&L\(layout.footer)&C&A&R&P / &N"),
                "set the footer of the sheet \(name)")
        }
    }
}
