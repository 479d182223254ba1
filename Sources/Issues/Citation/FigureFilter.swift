// SPDX-License-Identifier: Apache-2.0

/// Which rows of a report a figure is made of.
struct FigureFilter {
    private let conditions: [(position: Int, condition: FigureName.Condition)]
    /// The values that rows had in the columns of the conditions, for whoever asks for one that no row has.
    private(set) var seen: [String: Set<String>] = [:]

    /// Conditions on columns that the rows do not have are left out: the caller has checked the name.
    init(_ name: FigureName, columns: [String]) {
        conditions = name.conditions.compactMap { condition in
            columns.firstIndex(of: condition.column).map { ($0, condition) }
        }
    }

    mutating func matches(_ fields: [String?]) -> Bool {
        var isMatch = true
        for (position, condition) in conditions {
            let value = fields[position] ?? ""
            seen[condition.column, default: []].insert(value)
            if !condition.matches(value) { isMatch = false }
        }
        return isMatch
    }

    /// The first condition that no row meets, whatever the others ask for.
    var unmet: FigureName.Condition? {
        conditions.map(\.condition).first { condition in
            !seen[condition.column, default: []].contains(where: condition.matches)
        }
    }
}
