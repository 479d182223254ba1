// SPDX-License-Identifier: Apache-2.0

/// Shares the page's room among the reports: as long as all cuts together are too long, the longest one gives way to cuts that each
/// do without one column of it.
struct PageBudget {
    /// Letters of figures, so that a page with its charts, tables and words stays below five megabytes.
    static let room = 4_000_000

    let room: Int
    /// Columns that a cut can do without, if need be.
    let dispensable: [String]

    init(room: Int = PageBudget.room, money: PageMoney) {
        self.room = room
        dispensable = ["country", "product_id"] + (money.isReporting ? ["currency"] : [])
    }

    func cuts(of cubes: [PageCube]) throws(ReportError) -> [PageCuts] {
        var all = try cubes.map { cube throws(ReportError) in try PageCuts(cube) }
        while length(of: all) > room, let (place, path, index) = longest(of: all) {
            let cut = all[place][keyPath: path].remove(at: index)
            for column in dispensable where cut.grain.columns.contains(column) {
                let left = Set(cut.grain.columns).subtracting([column])
                guard !all[place][keyPath: path].contains(where: { left.isSubset(of: $0.grain.columns) }) else {
                    continue
                }
                let coarser = try PageCuts.Cut(try cut.grain.without(column), of: all[place].cube)
                all[place][keyPath: path].append(coarser)
            }
        }
        return all
    }

    private func length(of all: [PageCuts]) -> Int {
        all.reduce(0) { sum, cuts in (cuts.days + cuts.months).reduce(sum) { $0 + $1.json.utf8.count } }
    }

    private typealias Path = WritableKeyPath<PageCuts, [PageCuts.Cut]>

    private func longest(of all: [PageCuts]) -> (place: Int, path: Path, index: Int)? {
        var longest: (place: Int, path: Path, index: Int, length: Int)?
        for (place, cuts) in all.enumerated() {
            for path in [\PageCuts.days, \PageCuts.months] as [Path] {
                for (index, cut) in cuts[keyPath: path].enumerated()
                where cut.json.utf8.count > longest?.length ?? 0
                    && dispensable.contains(where: cut.grain.columns.contains)
                {
                    longest = (place, path, index, cut.json.utf8.count)
                }
            }
        }
        return longest.map { ($0.place, $0.path, $0.index) }
    }
}
