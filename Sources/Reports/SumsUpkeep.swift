// SPDX-License-Identifier: Apache-2.0

/// What an issue does with the sums that are kept from night to night (`sql/reports/_shared/15_sums.sql`).
///
/// The figures are the same whichever it is: where the sums do not stand at the seal, they are reckoned from the
/// whole history. What the checks look at goes by it, too: rows of what was written since and of a thirtieth of the others
/// where the sums are moved on, all rows else.
package enum SumsUpkeep: Sendable, Hashable {
    /// Left as they stand: the report of an earlier seal writes nothing.
    case leftAlone
    /// Moved on by what was written since they were last moved.
    case movedOn
    /// Moved on, and then made anew beside what that came to.
    case rebuilt
}

/// One report's kept sums, as an issue moved them.
package struct MovedSums: Sendable, Hashable {
    /// The report's name, for example `revenue`.
    package let report: String
    /// Rows written for what was learned since.
    package let written: Int64
    /// Rows that a rebuild found otherwise than the nights had left them; 0 where they were right.
    package let corrected: Int64
}
