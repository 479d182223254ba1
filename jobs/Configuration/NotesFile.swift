// SPDX-License-Identifier: Apache-2.0

import Foundations
import Model
import Rendering

/// The file that `reports.notes` names: CSV with the header `date,app,text`.
struct NotesFile {
    static let columns = ["date", "app", "text"]

    let findings: Findings
    /// The apps that there are; nil where that is not known, because one of them is wrong.
    let apps: [AppID]?

    /// Nil where its header is another one.
    ///
    /// Each line that is wrong is found, and left out.
    func read(_ bytes: [UInt8]) -> ReportNotes? {
        var records = CSVRecords(bytes.withoutByteOrderMark)
        let header = records.next()
        guard header?.problem == nil, header?.fields == Self.columns else {
            findings.add("the header must be \(Self.columns.joined(separator: ","))", line: header?.line ?? 1)
            return nil
        }
        return ReportNotes(records.compactMap(note), of: bytes)
    }

    private func note(_ record: CSVRecords.Record) -> ReportNotes.Note? {
        func refuse(_ problem: String) -> ReportNotes.Note? {
            findings.add(problem, line: record.line)
            return nil
        }
        if let problem = record.problem { return refuse(problem) }
        guard record.fields.count == Self.columns.count else {
            return refuse("it has \(record.fields.count) fields, and not \(Self.columns.count)")
        }
        let (day, app, text) = (record.fields[0], record.fields[1], record.fields[2])
        guard let date = BusinessDate(day) else {
            return refuse("date must be a day such as 2026-03-01, not `\(day.shortened)`")
        }
        guard app.isEmpty || apps?.contains(AppID(app)) != false else { return refuse(unknown(app)) }
        guard text.contains(where: { !$0.isWhitespace }) else { return refuse("text is empty") }
        guard PlainText.isPlain(text) else {
            return refuse("text must be one line of \(PlainText.longest) bytes at most, without control characters")
        }
        return ReportNotes.Note(date: date, app: app.isEmpty ? nil : AppID(app), text: text)
    }

    private func unknown(_ app: String) -> String {
        let hint =
            Suggestion.nearest(to: app, among: (apps ?? []).map(\.rawValue)).map { "; did you mean \($0)?" } ?? ""
        return "app `\(app.shortened)` is no app of the configuration\(hint)"
    }
}
