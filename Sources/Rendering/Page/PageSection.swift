// SPDX-License-Identifier: Apache-2.0

package import Foundations

/// What the page holds of one report while its rows are written: figures to add up, or its last rows.
package struct PageSection {
    let name: String
    let shape: ReportShape
    let spec: PageSpec?
    let specText: String
    private(set) var cube: PageCube?
    private(set) var newest = PageNewestRows()
    private(set) var pivot: PagePivot?

    /// `page`: how the page shows it, `page.json`; nil: its newest rows as they are.
    package init(
        _ name: String, page: Document?, shape: ReportShape, of report: ReportIdentity
    ) throws(ReportError) {
        self.name = name
        self.shape = shape
        specText = page?.text ?? "{}"
        spec = try page.map { document throws(ReportError) in try PageSpec.read(document.text, of: name) }
        pivot = spec?.pivot.flatMap { PagePivot($0, of: shape.columns) }
        guard let spec, !spec.tables.isEmpty else { return }
        cube = try PageCube(
            name: name, spec: spec, columns: shape.columns, first: report.firstDate, last: report.lastDate)
    }

    package mutating func add(_ rows: [[String?]]) throws(ReportError) {
        for row in rows {
            pivot?.add(row)
            if cube == nil { newest.add(row) } else { try cube?.add(row) }
        }
    }

    /// No row follows.
    package mutating func end() throws(ReportError) { try cube?.end() }
}
