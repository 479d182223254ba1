// SPDX-License-Identifier: Apache-2.0

import SQLCatalog

/// What the page holds of one report while its rows are written: figures to add up, or its last rows.
struct PageSection {
    let name: String
    let shape: ReportShape
    let spec: PageSpec?
    let specText: String
    private(set) var cube: PageCube?
    private(set) var newest = PageNewestRows()
    private(set) var pivot: PagePivot?

    init(report: ReportCatalog.Report, shape: ReportShape, request: ReportRequest) throws(ReportError) {
        name = report.name
        self.shape = shape
        specText = report.page?.text ?? "{}"
        spec = try report.page.map { document throws(ReportError) in try PageSpec.read(document.text, of: report.name) }
        pivot = spec?.pivot.flatMap { PagePivot($0, of: shape.columns) }
        guard let spec, !spec.tables.isEmpty else { return }
        cube = try PageCube(
            name: name, spec: spec, columns: shape.columns, first: request.firstDate, last: request.lastDate)
    }

    mutating func add(_ rows: [[String?]]) throws(ReportError) {
        for row in rows {
            pivot?.add(row)
            if cube == nil { newest.add(row) } else { try cube?.add(row) }
        }
    }

    /// No row follows.
    mutating func end() throws(ReportError) { try cube?.end() }
}
