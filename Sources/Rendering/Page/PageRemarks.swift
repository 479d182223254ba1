// SPDX-License-Identifier: Apache-2.0

/// What a section says of its own figures: how those bend that are older than the first question to the stores, and what the page
/// has no room to tell apart.
struct PageRemarks {
    let cuts: PageCuts
    let texts: PageTexts
    let period: PagePeriod

    private var cube: PageCube { cuts.cube }

    var sentences: [String] { [before, together, left].compactMap(\.self) }

    private var before: String? {
        isOlder ? cube.spec.before.map { Self.before($0, in: texts, of: period) } : nil
    }

    /// `how`: as a specification says it.
    static func before(_ how: String, in texts: PageTexts, of period: PagePeriod) -> String {
        let since = period.firstObserved == .max ? texts["never"] : PageSpan.text(ofDay: period.firstObserved)
        return texts[how == "survivors" ? "beforeSurvivors" : "beforeFewer", "date", since]
    }

    /// Whether anything of it is older than the first question.
    private var isOlder: Bool {
        if let first = cube.firstSpan { return period.isBefore(day: first) }
        let months = ["cohort_month", "sold_month"].flatMap { cube.values[$0] ?? [] } + monthsOfTime
        return months.compactMap { PageSpan.month($0) }.contains { period.isBefore(month: $0) }
    }

    private var monthsOfTime: [String] {
        guard cube.spec.time != nil, let extent = cube.months.extent else { return [] }
        return [PageSpan.text(ofMonth: extent.lowerBound)]
    }

    /// Columns that stand in some cut, but not in all of them.
    private var together: String? {
        let columns = cuts.partedColumns.filter { cuts.hasDays(by: $0) || cuts.hasMonths(by: $0) }
        return columns.count < 2 ? nil : sentence("partedBy", columns)
    }

    private var left: String? {
        let columns = cube.keyColumns.filter { column in
            cube.hasDays ? !cuts.hasDays(by: column) : !cuts.hasMonths(by: column)
        }
        guard !columns.isEmpty else { return nil }
        let isByMonth = columns.allSatisfy(cuts.hasMonths)
        return sentence(isByMonth ? "byMonthOnly" : "leftToFile", columns)
    }

    private func sentence(_ name: String, _ columns: [String]) -> String {
        let labels = columns.map { texts.label($0).lowercased() }.joined(separator: ", ")
        return texts[name, "columns", labels, "file", "\(cube.name).csv"]
    }
}
