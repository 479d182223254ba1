// SPDX-License-Identifier: Apache-2.0

/// What of a report's figures stands in the page: one cut by every column that tells rows apart, or, where the page has no room for
/// it, several by fewer columns each.
struct PageCuts {
    struct Cut {
        let grain: PageGrain
        let json: String

        init(_ grain: PageGrain, of cube: PageCube) throws(ReportError) {
            self.grain = grain
            json = try PageCutText(grain, of: cube).json
        }
    }

    let cube: PageCube
    var days: [Cut]
    var months: [Cut]

    init(_ cube: PageCube) throws(ReportError) {
        self.cube = cube
        days = cube.hasDays ? [try Cut(cube.days, of: cube)] : []
        months = [try Cut(cube.months, of: cube)]
    }

    /// Whether figures by day stand apart by that column.
    func hasDays(by column: String) -> Bool { days.contains { $0.grain.columns.contains(column) } }

    func hasMonths(by column: String) -> Bool { months.contains { $0.grain.columns.contains(column) } }

    /// Columns that the report has and that not every cut tells apart: not all of them can be chosen at once.
    var partedColumns: [String] {
        cube.keyColumns.filter { column in !(days + months).allSatisfy { $0.grain.columns.contains(column) } }
    }
}
