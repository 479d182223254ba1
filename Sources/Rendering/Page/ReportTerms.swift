// SPDX-License-Identifier: Apache-2.0

/// The columns of a report that the page's glossary explains: wherever the page names one, the name leads there.
struct ReportTerms {
    let report: String
    let columns: Set<String>

    private let texts: PageTexts

    init(of report: String, shape: ReportShape, texts: PageTexts) {
        self.report = report
        self.texts = texts
        columns = Set(shape.columns.map(\.name))
    }

    /// The place of a column in the glossary.
    static func id(of column: String, in report: String) -> String { "\(report).\(column)" }

    /// Where the rows are that paper has no room for.
    func leftOnScreen(_ count: Int) -> String {
        texts["leftOnScreen", "count", AmountText.count(Int64(count)), "file", report + ".csv"]
    }

    /// HTML: the label, as a link where the glossary has the column.
    func link(_ label: String, to column: String) -> String {
        guard columns.contains(column) else { return HTMLText.escaped(label) }
        let id = Self.id(of: column, in: report)
        return "<a class=\"term\" href=\"#\(HTMLText.escaped(id))\">\(HTMLText.escaped(label))</a>"
    }
}
