// SPDX-License-Identifier: Apache-2.0

import Model

/// What `page.html` names: texts ready to be read, in the order they are shown.
struct PageContent {
    struct Section {
        let name: String
        let title: String
        let definition: String
        /// How it bends, and what it cannot tell apart: a sentence each.
        let remarks: [String]
        /// HTML.
        let tables: String
        let isEmpty: Bool
        /// It follows no filter.
        let isOfWhole: Bool
        let file: String
        let rows: String
        let query: String
    }

    struct CoverageRow {
        let app: String
        let store: String
        let lastChecked: String
        let lastRun: String
        let due: String
        let checked: String
        let unread: String
        let isLate: Bool
        let hasUnread: Bool
    }

    struct CheckRow {
        let title: String
        let verdict: String
        let isFailed: Bool
        let differences: [CheckOutcome.Difference]
    }

    struct Definition {
        let name: String
        let title: String
        let meaning: String
        let fields: [Field]
    }

    /// One of the owner's notes.
    struct NoteRow {
        let number: Int
        let date: String
        /// Empty: all of them.
        let appID: String
        let app: String
        let text: String
    }

    struct Field {
        let id: String
        let name: String
        let meaning: String
    }

    let language: String
    /// Sentences of the page by name.
    let texts: [String: String]
    let lastDate: String
    let rank: String
    let verdict: String
    let isWarned: Bool
    let warnings: [String]
    /// What the page opens with.
    let sentences: [String]
    let cards: [PageCards.Text]
    let notes: [String]
    let ownerNotes: [NoteRow]
    let hasOwnerNotes: Bool
    let areOwnerNotesOpen: Bool
    let ownerNotesCount: String
    let sections: [Section]
    let coverage: [CoverageRow]
    let checks: [CheckRow]
    let glossary: [Definition]
    let stamp: [Field]
    let style: String
    let styleHash: String
    let chartScript: String?
    let script: String
    let scriptHashes: String
    let hasCharts: Bool
    /// JSON.
    let data: String
}

extension PageContent.CoverageRow {
    init(_ coverage: Coverage, on businessDate: BusinessDate, _ texts: PageTexts) {
        self.init(
            app: texts.app(coverage.appID), store: texts.value(coverage.store, of: "store"),
            lastChecked: coverage.lastCheckedAt?.iso8601 ?? texts["never"],
            lastRun: "\(texts[coverage.lastRunOutcome]), \(coverage.lastRunDate)", due: AmountText.count(coverage.due),
            checked: AmountText.count(coverage.checked), unread: AmountText.count(coverage.unread),
            isLate: coverage.lateness(on: businessDate) != nil, hasUnread: coverage.unread > 0)
    }
}

extension PageContent.NoteRow {
    init(_ note: ReportNotes.Note, number: Int, _ texts: PageTexts) {
        self.init(
            number: number, date: note.date.description, appID: note.app?.rawValue ?? "",
            app: note.app.map { texts.app($0.rawValue) } ?? texts["allApps"], text: note.text)
    }
}

extension PageContent.CheckRow {
    init(_ check: CheckOutcome, _ texts: PageTexts) {
        let count = AmountText.count(Int64(check.rowCount))
        self.init(
            title: check.title, verdict: check.passed ? texts["agrees"] : texts["differsIn", "count", count],
            isFailed: !check.passed, differences: check.differences)
    }
}
