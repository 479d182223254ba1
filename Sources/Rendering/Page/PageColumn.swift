// SPDX-License-Identifier: Apache-2.0

/// A figure of the page, and where it stands in a report's rows.
struct PageColumn {
    enum Kind: String {
        case count, money
    }

    /// How it comes together over time.
    enum Level: String {
        /// Added up.
        case sum
        /// As the first or the last day has it.
        case first, last
    }

    let name: String
    let kind: Kind
    let level: Level
    /// In the report's rows.
    let index: Int
    /// Of the same amount in the reporting currency; nil for a count.
    let reportingIndex: Int?

    /// Those that a specification names and the report has.
    static func all(_ spec: PageSpec, of columns: [ReportColumn]) throws(ReportError) -> [PageColumn] {
        var all: [PageColumn] = []
        for (level, names) in [(Level.first, spec.first), (.last, spec.last), (.sum, spec.sum)] {
            for name in names ?? [] {
                guard let index = columns.firstIndex(where: { $0.name == name }) else {
                    throw ReportError(.definitions, "page.json names a column that its report does not have: \(name)")
                }
                let reporting = columns.firstIndex { $0.name == name + "_reporting" }
                all.append(
                    PageColumn(
                        name: name, kind: columns[index].kind == .count ? .count : .money, level: level, index: index,
                        reportingIndex: reporting))
            }
        }
        return all
    }
}
