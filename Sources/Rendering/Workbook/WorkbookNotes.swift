// SPDX-License-Identifier: Apache-2.0

import Model

/// The sheet of the owner's notes, where a file of them is configured.
package struct WorkbookNotes {
    static let sheetName = "Notes"
    static let definition = "What the owner remarks on days, from the file that reports.notes names"

    static let columns: [SheetColumn] = [
        SheetColumn(name: "number", kind: .count, definition: "Number of the note on the page's charts"),
        SheetColumn(name: "date", kind: .date, definition: "The day it is about"),
        SheetColumn(name: "app_id", kind: .text, definition: "The app it is about; empty: all of them"),
        SheetColumn(name: "text", kind: .text, definition: "What the owner says"),
    ]

    package static func write(_ notes: ReportNotes, to workbook: WorkbookQueue) async throws {
        let rows = notes.numbered.map {
            [String($0.number), $0.note.date.description, $0.note.app?.rawValue, $0.note.text]
        }
        try await workbook.add { workbook in
            try await workbook.beginNotes()
            try await workbook.append(rows)
            try await workbook.end()
        }
    }
}
