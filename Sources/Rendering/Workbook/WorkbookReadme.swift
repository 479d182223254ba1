// SPDX-License-Identifier: Apache-2.0

import Model
import Workbook

/// The first sheet: what the report is, how fresh its data is, which checks it passed, what is on each sheet, and what every
/// column means.
struct WorkbookReadme {
    static let sheetName = "README"

    private typealias Line = [(cell: Cell, style: CellStyle)]

    /// The last one is that of what things are and mean.
    private static let widths = [26.0, 30, 14, 14, 14, 14, 100]

    let report: ReportIdentity
    let sheets: [TidySheet]
    /// The Summary's second table.
    let rates: TidySheet
    let currency: String?
    let checks: [CheckOutcome]
    let coverage: [Coverage]
    /// What apps are called, by id.
    let titles: [String: String]
    /// What is missing, and what every total leaves out.
    let warnings: [String]

    func write(to sheet: Worksheet, footer: String) throws(WorkbookError) {
        for (column, width) in Self.widths.enumerated() { try sheet.setWidth(width, of: column) }
        let lines = lines
        for (row, line) in lines.enumerated() {
            for (column, part) in line.enumerated() {
                let isLong = part.style == .plain && column == Self.widths.count - 1
                try sheet.write(part.cell, row: row, column: column, style: isLong ? .wrapped : part.style)
            }
        }
        try sheet.setPrintLayout(
            PrintLayout(lastRow: lines.count - 1, headerRow: nil, keyColumns: 0, widths: Self.widths, footer: footer))
    }

    private var lines: [Line] {
        let title: Line = [(.text("subledger report \(report.businessDate)"), .title)]
        let parts = [[title], stamp, freshness, notes, sheetList, columnList]
        return Array(parts.joined(separator: [[]]))
    }

    // MARK: What it is

    private var stamp: [Line] {
        [
            pair("business date", report.businessDate.description),
            pair("period", "\(report.firstDate?.description ?? "the beginning") to \(report.lastDate)"),
            pair("as of", report.asOf.iso8601),
            pair("time zone", report.timeZone),
            pair("seal", String(report.seal)),
            pair("run", String(report.runID)),
            pair("definitions version", String(ReportIdentity.definitionsVersion)),
            pair("reporting currency", currency ?? "none: nothing was reported in it"),
            pair("checks", verdict),
        ] + (report.notes.map { [pair("notes, SHA-256 of their file", $0.sha256)] } ?? [])
    }

    private var verdict: String {
        let failed = checks.filter { !$0.passed }.map(\.title)
        return failed.isEmpty
            ? "Books agree: \(checks.count) checks passed" : "Not reconciled: \(failed.joined(separator: ", "))"
    }

    private var freshness: [Line] {
        let header = heading(["app", "store", "due", "checked", "unread", "last night", "last checked"])
        let apps = coverage.map { app in
            line([
                .text(AppName(app.appID, title: titles[app.appID]).description), .text(app.store),
                .number(Double(app.due)), .number(Double(app.checked)),
                .number(Double(app.unread)), .text(app.lastRunOutcome), .text(app.lastCheckedAt?.iso8601 ?? "never"),
            ])
        }
        return [header] + (apps.isEmpty ? [line([.text("no app was read yet")])] : apps)
            + warnings.map { pair("warning", $0) }
    }

    private var notes: [Line] {
        [
            "App Store money is as the App Store records it, not its settlement.",
            "Amounts are in units of their currency, with all six decimals in the cell and as many shown as the currency has. "
                + "An empty cell is unknown, never zero.",
            "Months are the first of their days.",
            "Days are those of the time zone above; instants on the sheet Detail are in UTC, to the second.",
            "Ids are text: a spreadsheet keeps 15 digits of a number. A number with more digits than that is text, too.",
            "Nothing here is a formula: a cell that begins with = + - or @ is text.",
            "A text of more than \(CellText.limit) characters ends with …; its file has all of it.",
            "Sheets by day hold \(report.firstDayOfLastMonths) and later, the files every day of the period; "
                + "sheets by month and the Summary hold every month of it.",
        ].map { pair("note", $0) }
    }

    // MARK: What is in it

    private var sheetList: [Line] {
        [heading(["sheet", "file", "rows in sheet", "rows in all", "", "", "what it is"])]
            + sheets.map { sheet in
                let isReport = isReport(sheet)
                let whole = sheet.wholeCount ?? (isReport ? sheet.givenCount : nil)
                return line([
                    .text(sheet.name), isReport ? .text(sheet.name + ".csv") : .empty, .number(Double(sheet.rowCount)),
                    whole.map { .number(Double($0)) } ?? .empty, .empty, .empty,
                    .text(sheet.definition + extent(of: sheet)),
                ])
            }
    }

    /// What of it is elsewhere.
    private func extent(of sheet: TidySheet) -> String {
        guard isReport(sheet) else {
            return sheet.isCut ? ". " + TidySheet.extent(sheet.rowCount, of: sheet.wholeCount ?? sheet.givenCount) : ""
        }
        let days = sheet.isOfLastDays ? ". Days from \(report.firstDayOfLastMonths) on" : ""
        let leftOut = sheet.givenCount - sheet.earlierCount - sheet.rowCount
        return days + (sheet.isCut ? ". \(leftOut) rows found no place here" : "")
    }

    private func isReport(_ sheet: TidySheet) -> Bool {
        ![WorkbookSummary.sheetName, WorkbookDetail.sheetName, WorkbookNotes.sheetName].contains(sheet.name)
    }

    private var columnList: [Line] {
        [heading(["sheet", "column", "type", "", "", "", "what it means"])]
            + (sheets.prefix(1) + [rates] + sheets.dropFirst()).flatMap { sheet in
                sheet.columns.map { column in
                    line([
                        .text(sheet.name), .text(column.name), .text(column.kind.rawValue), .empty, .empty, .empty,
                        .text(column.definition),
                    ])
                }
            }
    }

    // MARK: Lines

    private func pair(_ name: String, _ text: String) -> Line { line([.text(name), .text(text)]) }

    private func heading(_ names: [String]) -> Line { names.map { ($0.isEmpty ? .empty : .text($0), .heading) } }

    private func line(_ cells: [Cell]) -> Line {
        cells.map { cell in
            if case .number = cell { (cell, .count) } else { (cell, .plain) }
        }
    }
}
