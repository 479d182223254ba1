// SPDX-License-Identifier: Apache-2.0

import Workbook

/// The Summary: every month in one row, in the reporting currency, and charts of these rows.
struct WorkbookSummary {
    static let sheetName = "Summary"

    let figures: MonthlyFigures

    static var columns: [SheetColumn] {
        [
            SheetColumn(
                name: "month", kind: .text, definition: "Calendar month, yyyy-mm; the last one to the last day reported"
            ),
            SheetColumn(name: "reporting_currency", kind: .text, definition: "ISO 4217 code of the amounts"),
        ] + MonthlyFigure.all.map(\.column)
    }

    func write(to sheet: Worksheet) throws(WorkbookError) -> TidySheet {
        let tidy = try TidySheet(
            sheet, definition: "Every month with any figure, of all apps and stores together", columns: Self.columns,
            firstDay: nil)
        let rows = figures.rows
        try tidy.append(rows)
        try tidy.finish()
        var place = 1
        for chart in charts(of: rows) {
            try tidy.insert(chart, row: place)
            place += 17
        }
        return tidy
    }

    /// None of what nobody knows.
    private func charts(of rows: [[String?]]) -> [Chart] {
        let money = figures.currency.map { ", \($0)" } ?? ""
        return [
            chart(.line, "MRR at the end of each month\(money)", ["closing_mrr"], rows),
            chart(.column, "Net revenue by month\(money)", ["net_revenue"], rows),
            chart(.column, "Active and churned subscribers by month", ["active", "churned"], rows),
        ].compactMap(\.self)
    }

    private func chart(_ kind: Chart.Kind, _ title: String, _ names: [String], _ rows: [[String?]]) -> Chart? {
        let colours: [UInt32] = [0x1F6FB2, 0xC2562D]
        let series = zip(names, colours).compactMap { name, colour in
            Self.columns.firstIndex { $0.name == name }.map { Chart.Series(column: $0, colour: colour) }
        }
        guard !rows.isEmpty, series.contains(where: { one in rows.contains { $0[one.column] != nil } }) else {
            return nil
        }
        return Chart(
            kind: kind, title: title,
            description: "\(title): the column \(names.joined(separator: " and ")) of this sheet",
            rows: 1...rows.count, series: series)
    }
}
