// SPDX-License-Identifier: Apache-2.0

/// The columns of a report that the page's glossary explains: wherever the page names one, the name leads there.
struct ReportTerms {
    let report: String
    let columns: Set<String>

    init(_ report: String, _ shape: ReportShape) {
        self.report = report
        columns = Set(shape.columns.map(\.name))
    }

    /// The place of a column in the glossary.
    static func id(of column: String, in report: String) -> String { "\(report).\(column)" }

    /// HTML: the label, as a link where the glossary has the column.
    func link(_ label: String, to column: String) -> String {
        guard columns.contains(column) else { return HTMLText.escaped(label) }
        let id = Self.id(of: column, in: report)
        return "<a class=\"term\" href=\"#\(HTMLText.escaped(id))\">\(HTMLText.escaped(label))</a>"
    }
}
