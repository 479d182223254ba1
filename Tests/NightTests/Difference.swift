// SPDX-License-Identifier: Apache-2.0

import Testing

/// Holds two sets against each other and says the first differences, not thousands of rows.
func expectSame<Element: Hashable>(
    _ found: Set<Element>, _ expected: Set<Element>, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    let missing = expected.subtracting(found)
    let surplus = found.subtracting(expected)
    let examples = missing.prefix(3).map { "missing \($0)" } + surplus.prefix(3).map { "surplus \($0)" }
    #expect(
        missing.isEmpty && surplus.isEmpty,
        "\(what): \(missing.count) missing, \(surplus.count) surplus\n\(examples.sorted().joined(separator: "\n"))",
        sourceLocation: sourceLocation)
    #expect(!expected.isEmpty, "\(what): the books are empty", sourceLocation: sourceLocation)
}
