// SPDX-License-Identifier: Apache-2.0

/// What one of `sql/checks/` found: no rows when the books agree.
package struct CheckOutcome: Sendable, Hashable {
    /// One place where two figures that should be equal are not.
    package struct Difference: Sendable, Hashable {
        package let subject: String
        package let expected: String
        package let found: String

        package init(subject: String, expected: String, found: String) {
            (self.subject, self.expected, self.found) = (subject, expected, found)
        }
    }

    /// The file's name without its extension, for example `churn_opening_closes`.
    package let name: String
    /// How many differences there are in all.
    package let rowCount: Int
    /// The first of them.
    package let differences: [Difference]

    package init(name: String, rowCount: Int, differences: [Difference]) {
        (self.name, self.rowCount, self.differences) = (name, rowCount, differences)
    }

    package var passed: Bool { rowCount == 0 }
    /// The name as people read it.
    package var title: String { name.replacing("_", with: " ") }
}
