// SPDX-License-Identifier: Apache-2.0

import Foundations
import Model
import Workbook

/// `report.xlsx`: the figures for people with a spreadsheet. A README, a Summary with charts, a sheet for each report and one
/// of single transactions.
///
/// Rows are written as they come, and memory stays flat. Writing blocks, so that it has a thread of its own.
package actor ReportWorkbook {
    package static let fileName = "report.xlsx"

    private nonisolated let executor = BlockingExecutor(label: "subledger.reports")
    private let report: ReportIdentity
    private let path: String
    private let folder: String
    private var book: Workbook?
    private var sheets: [String: Worksheet] = [:]
    private var current: TidySheet?
    private var written: [TidySheet] = []
    private var figures: MonthlyFigures
    private var rates: [[String?]] = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// `folder`: where the file is written, and what it is made of until then.
    package init(_ report: ReportIdentity, in folder: String) {
        self.report = report
        self.figures = MonthlyFigures(through: report.lastDate)
        self.folder = folder
        self.path = "\(folder)/\(Self.fileName)"
    }

    /// Begins the file; its sheets stand in this order, whichever is written first.
    ///
    /// `changes` is the last report.
    package func open(_ reports: [String]) throws(ReportError) {
        try attempt { () throws(WorkbookError) in
            let book = try Workbook(
                at: path, temporaryFolder: folder,
                properties: .init(
                    title: "subledger report \(report.businessDate)",
                    comment: "As of \(report.asOf.iso8601), seal \(report.seal); see the sheet README",
                    created: Int(report.asOf.micros / 1_000_000)))
            let ordered = reports.filter { $0 != "changes" } + reports.filter { $0 == "changes" }
            let ends = [WorkbookDetail.sheetName] + (report.notes == nil ? [] : [WorkbookNotes.sheetName])
            for name in [WorkbookReadme.sheetName, WorkbookSummary.sheetName] + ordered + ends {
                sheets[name] = try book.addSheet(name)
            }
            self.book = book
        }
    }

    /// The rows of that report follow.
    package func begin(_ name: String, _ shape: ReportShape) throws(ReportError) {
        try begin(name, definition: shape.definition, columns: shape.columns.map(SheetColumn.init))
    }

    /// The newest of so many single transactions follow.
    package func beginDetail(_ shape: ReportShape, of rowCount: Int) throws(ReportError) {
        try begin(
            WorkbookDetail.sheetName, definition: shape.definition, columns: shape.columns.map(SheetColumn.init),
            isWindowOf: rowCount)
    }

    /// The owner's notes follow.
    package func beginNotes() throws(ReportError) {
        try begin(
            WorkbookNotes.sheetName, definition: WorkbookNotes.definition, columns: WorkbookNotes.columns)
    }

    /// The exchange rates of the Summary.
    package func take(rates: [[String?]]) { self.rates = rates }

    package func append(_ rows: [[String?]]) throws(ReportError) {
        figures.append(rows)
        try attempt { () throws(WorkbookError) in try current?.append(rows) }
    }

    /// All rows of the sheet at hand came.
    package func end() throws(ReportError) {
        try attempt { () throws(WorkbookError) in
            guard let current else { return }
            try current.finish(footer: footer)
            written.append(current)
            self.current = nil
        }
    }

    /// Writes the Summary and the README, and ends the file.
    ///
    /// `titles`: what apps are called, by id.
    package func finish(
        checks: [CheckOutcome], coverage: [Coverage], titles: [String: String] = [:], warnings: [String]
    ) throws(ReportError) {
        try attempt { () throws(WorkbookError) in
            guard let book, let first = sheets[WorkbookReadme.sheetName], let second = sheets[WorkbookSummary.sheetName]
            else { return }
            let summary = try WorkbookSummary(report: report, figures: figures, rates: rates)
                .write(to: second, footer: footer)
            let readme = WorkbookReadme(
                report: report, sheets: [summary.months] + written, rates: summary.rates, currency: figures.currency,
                checks: checks, coverage: coverage, titles: titles, warnings: warnings)
            try readme.write(to: first, footer: footer)
            try book.close()
        }
    }

    /// Of printed pages.
    private var footer: String { "subledger report \(report.businessDate), seal \(report.seal)" }

    private func begin(
        _ name: String, definition: String, columns: [SheetColumn], isWindowOf rowCount: Int? = nil
    ) throws(ReportError) {
        figures.begin(name, columns)
        try attempt { () throws(WorkbookError) in
            guard let sheet = sheets[name] else { return }
            current = try TidySheet(
                sheet, definition: definition, columns: columns, firstDay: report.firstDayOfLastMonths,
                isWindowOf: rowCount)
        }
    }

    private func attempt(_ body: () throws(WorkbookError) -> Void) throws(ReportError) {
        do {
            try body()
        } catch {
            throw ReportError(.files, "\(error); check the space and permissions there")
        }
    }
}
