// SPDX-License-Identifier: Apache-2.0

import Model
import Workbook

/// The Summary: charts, every month in one row in the reporting currency, and the exchange rates that it was converted with.
struct WorkbookSummary {
    static let sheetName = "Summary"

    /// The charts stand side by side in these rows, in sight when the sheet is opened.
    private static let chartRow = 3
    /// A row is 20 pixels high.
    private static let firstRow = chartRow + Chart.height / 20 + 2
    private static let gap = 12

    let report: ReportIdentity
    let figures: MonthlyFigures
    let rates: [[String?]]

    static var columns: [SheetColumn] {
        [
            SheetColumn(
                name: "month", kind: .month,
                definition: "Calendar month, as its first day; the last one to the last day reported"),
            SheetColumn(name: "reporting_currency", kind: .text, definition: "ISO 4217 code of the amounts"),
        ] + MonthlyFigure.all.map(\.column)
    }

    /// The tables that it has then: of months, and of rates.
    func write(to sheet: Worksheet, footer: String) throws(WorkbookError) -> (months: TidySheet, rates: TidySheet) {
        try sheet.write(.text("Summary by month"), row: 0, column: 0, style: .title)
        try sheet.write(.text(subtitle), row: 1, column: 0)
        let months = try TidySheet(
            sheet, definition: "Every month with any figure, of all apps and stores together", columns: Self.columns,
            top: Self.firstRow)
        let rows = figures.rows
        try months.append(rows)
        try months.filter()
        let used = try writeRates(to: sheet, from: months.lastRow + 2)
        let widths = months.widths.enumerated().map { place, width in
            place < used.widths.count ? max(width, used.widths[place]) : width
        }
        for (place, width) in widths.enumerated() { try sheet.setWidth(width, of: place) }
        for (place, chart) in charts(of: rows).enumerated() {
            try sheet.insert(chart, row: Self.chartRow, left: place * (Chart.width + Self.gap))
        }
        try sheet.setPrintLayout(
            PrintLayout(lastRow: used.lastRow, headerRow: nil, keyColumns: 0, widths: widths, footer: footer))
        return (months, used)
    }

    private var subtitle: String {
        let unit = figures.currency.map { "Amounts in \($0). " } ?? ""
        return "\(unit)Of all apps and stores together, to \(report.lastDate), as of \(report.asOf.iso8601). "
            + "An empty cell is unknown, never zero."
    }

    private func writeRates(to sheet: Worksheet, from row: Int) throws(WorkbookError) -> TidySheet {
        try sheet.write(.text("Exchange rates"), row: row, column: 0, style: .title)
        try sheet.write(
            .text(
                rates.isEmpty
                    ? "Nothing is in another currency."
                    : "Every purchase is converted at the last rate published before its day, for ever. Of each currency in use the newest:"
            ), row: row + 1, column: 0)
        let used = try TidySheet(
            sheet, definition: "Exchange rates that hold on the last day", columns: UsedRates.columns, top: row + 2)
        try used.append(rates)
        return used
    }

    /// None of what is unknown.
    private func charts(of rows: [[String?]]) -> [Chart] {
        let money = figures.currency ?? ""
        return [
            chart(.line, "MRR at the end of each month", in: money, of: ["closing_mrr"], rows: rows),
            chart(.column, "Net revenue by month", in: money, of: ["net_revenue"], rows: rows),
            chart(
                .column, "Active and churned subscribers by month", in: "", of: ["active", "churned"], rows: rows),
        ].compactMap(\.self)
    }

    private func chart(
        _ kind: Chart.Kind, _ title: String, in unit: String, of names: [String], rows: [[String?]]
    ) -> Chart? {
        let colours: [UInt32] = [0x1F6FB2, 0xC2562D]
        let series = zip(names, colours).compactMap { name, colour in
            Self.columns.firstIndex { $0.name == name }.map { Chart.Series(column: $0, colour: colour) }
        }
        guard !rows.isEmpty, series.contains(where: { one in rows.contains { $0[one.column] != nil } }) else {
            return nil
        }
        return Chart(
            kind: kind, title: title, unit: unit,
            description: "\(title): the column \(names.joined(separator: " and ")) of this sheet",
            rows: (Self.firstRow + 1)...(Self.firstRow + rows.count), headerRow: Self.firstRow, series: series)
    }
}
