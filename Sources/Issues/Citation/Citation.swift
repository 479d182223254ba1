// SPDX-License-Identifier: Apache-2.0

package import Model

/// One figure of an issue: what it was, what it is made of, what it is today, and why it moved.
package struct Citation: Sendable {
    /// The issue, or the export, that it stands in, whose manifest and file were found to be as they were written.
    package struct Issue: Sendable {
        package let name: String
        /// The database has no record of it: its file is as its own manifest has it.
        package let isExport: Bool
        package let folder: String
        package let seal: Int64
        package let asOf: String
        package let businessDate: String
        package let definitionsVersion: Int
        package let manifestSHA256: String
        package let file: String
        package let fileSHA256: String
    }

    /// A column, as its report defines it.
    package struct Formula: Sendable, Hashable {
        package let column: String
        package let definition: String
    }

    /// Lines and their checksum.
    package struct Rows: Sendable, Hashable {
        package let count: Int
        /// Of the lines, each with its line end, in their order.
        package let sha256: String
    }

    /// The entries of the ledger behind money.
    package struct Ledger: Sendable, Hashable {
        package let entries: Rows
        /// What they add up to; nil where the figure is no sum of amounts alone.
        package let micros: Int64?
    }

    /// The same figure as it is known now.
    package struct Today: Sendable {
        package let amount: FigureAmount
        package let rows: Int
        package let seal: Int64
        package let asOf: Instant
    }

    package let name: FigureName
    /// What the report is, and the definitions of the columns.
    package let report: String
    package let formulas: [Formula]
    /// The definitions are those of another version than the issue's.
    package let hasOtherDefinitions: Bool
    package let issue: Issue
    package let issued: FigureAmount
    package let rows: Rows
    /// Nil of what is not made of the ledger alone.
    package let ledger: Ledger?
    /// Nil of a report about its own issue, and where the reporting currency is another one now.
    package let today: Today?
    /// Together with the issued figure they come to today's.
    ///
    /// Empty where nothing moved, and of a figure that is not added up.
    package let movements: [Movement]

    /// What the figure is more today; nil where that is not known.
    ///
    /// What was unknown counts as nothing.
    package var difference: Int64? {
        guard let today, issued.micros != nil || today.amount.micros != nil else { return nil }
        return (today.amount.micros ?? 0) - (issued.micros ?? 0)
    }
}
