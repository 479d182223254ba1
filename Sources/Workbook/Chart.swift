// SPDX-License-Identifier: Apache-2.0

import CXLSXWriter

/// A chart of a sheet's own cells: whoever opens the workbook can change it.
package struct Chart: Sendable {
    package enum Kind: Sendable { case line, column }

    /// One column of a table, with its name in the row above.
    package struct Series: Sendable {
        package let column: Int
        /// `0xRRGGBB`.
        package let colour: UInt32

        package init(column: Int, colour: UInt32) {
            self.column = column
            self.colour = colour
        }
    }

    /// In pixels, of which the library would take a quarter more.
    package static let width = 384
    package static let height = 288
    static let widthScale = Double(width) / 480

    package let kind: Kind
    package let title: String
    /// What its values are: the title of their axis; empty: none.
    package let unit: String
    /// What it shows, for those who do not see it.
    package let description: String
    /// The rows it shows; the names of its series stand in the header's row, those of its points in column 0.
    package let rows: ClosedRange<Int>
    package let headerRow: Int
    package let series: [Series]

    package init(
        kind: Kind, title: String, unit: String, description: String, rows: ClosedRange<Int>, headerRow: Int,
        series: [Series]
    ) {
        self.kind = kind
        self.title = title
        self.unit = unit
        self.description = description
        self.rows = rows
        self.headerRow = headerRow
        self.series = series
    }

    /// Makes it in a workbook, of the cells of that sheet.
    ///
    /// The workbook owns it.
    func make(
        in workbook: UnsafeMutablePointer<lxw_workbook>, of sheet: String
    ) throws(WorkbookError) -> UnsafeMutablePointer<lxw_chart> {
        let type = kind == .line ? LXW_CHART_LINE : LXW_CHART_COLUMN
        guard let chart = unsafe workbook_add_chart(workbook, UInt8(type.rawValue)) else {
            throw WorkbookError(.library, "no memory for the chart \(title)")
        }
        unsafe chart_title_set_name(chart, title)
        var font = unsafe lxw_chart_font()
        unsafe font.size = 11
        unsafe chart_title_set_name_font(chart, &font)
        let legend = series.count > 1 ? LXW_CHART_LEGEND_BOTTOM : LXW_CHART_LEGEND_NONE
        unsafe chart_legend_set_position(chart, UInt8(legend.rawValue))
        unsafe chart_axis_set_num_format(chart.pointee.y_axis, "#,##0")
        unsafe chart_axis_set_num_format(chart.pointee.x_axis, CellStyle.month.numberFormat)
        if !unit.isEmpty { unsafe chart_axis_set_name(chart.pointee.y_axis, unit) }
        for one in series { try unsafe add(one, to: chart, of: sheet) }
        return unsafe chart
    }

    private func add(
        _ one: Series, to chart: UnsafeMutablePointer<lxw_chart>, of sheet: String
    ) throws(WorkbookError) {
        guard let series = unsafe chart_add_series(chart, nil, nil) else {
            throw WorkbookError(.library, "no memory for the chart \(title)")
        }
        let (first, last, column) = (UInt32(rows.lowerBound), UInt32(rows.upperBound), UInt16(one.column))
        unsafe chart_series_set_categories(series, sheet, first, 0, last, 0)
        unsafe chart_series_set_values(series, sheet, first, column, last, column)
        unsafe chart_series_set_name_range(series, sheet, UInt32(headerRow), column)
        switch kind {
        case .line:
            var line = lxw_chart_line()
            line.color = one.colour
            line.width = 2.25
            unsafe chart_series_set_line(series, &line)
        case .column:
            var fill = lxw_chart_fill()
            fill.color = one.colour
            unsafe chart_series_set_fill(series, &fill)
        }
    }
}
