// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How the page shows a report: `page.json` beside its SQL.
///
/// It names columns of the report and nothing else, so a report needs no Swift to be charted. Without one the page shows the
/// report's newest rows as they are.
package struct PageSpec: Decodable {
    /// A table of the page: a row for each value of a column, or for each span of time.
    struct Table: Decodable {
        /// `time`, or a column whose values are the rows.
        let rows: String
        let columns: [String]?
        /// A column whose values are the columns, and what stands in the cells.
        let across: String?
        let value: String?
        /// `last`: only the newest span of time.
        let at: String?
        /// All of the history, whatever range is chosen.
        let all: Bool?
        /// Of a table with columns for values: a figure that is the same in all of a row's cells, and stands once in front of them.
        let size: String?
        /// The figure that rows are sorted by; without it the first one.
        let sort: String?
        /// False where a sum of the rows means nothing.
        let total: Bool?
    }

    let order: Int
    let title: String
    /// The column of days or months; nil where the report has none.
    package let time: String?
    /// The days lie ahead of the report.
    package let ahead: Bool?
    /// Columns that tell rows apart, besides app, store, product, country and currency.
    let by: [String]?
    /// What is added up over time.
    package let sum: [String]?
    /// What stands at the beginning of a span of time, and at its end.
    package let first: [String]?
    package let last: [String]?
    /// Of those, the ones that are unknown as soon as a part of them is.
    package let strict: [String]?
    /// Numerator and denominator.
    let ratios: [String: [String]]?
    /// What something grew to, and from.
    var growth: [String: [String]]?
    /// How figures bend that are older than the first question to the stores: `fewer`, or `survivors`.
    var before: String?
    /// What figures are the sum of: `-` in front of those that are less, `<` in front of those of the span before.
    var from: [String: [String]]?
    let tables: [Table]
    /// Of a report with one figure a row, instead of tables.
    package var pivot: PagePivot.Spec?

    package static func read(_ text: String, of report: String) throws(ReportError) -> PageSpec {
        do {
            return try JSONDecoder().decode(PageSpec.self, from: Data(text.utf8))
        } catch {
            throw ReportError(.definitions, "page.json of the report \(report) cannot be read: \(error)")
        }
    }
}
