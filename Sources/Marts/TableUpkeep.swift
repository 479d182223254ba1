// SPDX-License-Identifier: Apache-2.0

package import Postgres

/// What an issue does with the tables that reports are made from, which last from night to night.
///
/// The figures are the same whichever it is: where the tables are not at the issue's seal, a session makes its own from
/// the whole history. What the checks look at goes by it, too: rows of what was written since and of a sample of the others
/// where the tables are moved on, all rows else.
package enum TableUpkeep: Sendable, Hashable {
    /// Left as they are: an export writes nothing to the database.
    case leftAlone
    /// Moved on by what was written since they were last moved.
    case movedOn
    /// Moved on, and then corrected by what is made again beside them, from the whole history.
    case rebuilt
}

/// A table that a rebuild found otherwise than the nights had left it.
package struct CorrectedTable: Sendable, Hashable {
    /// For example `paid_periods`, in schema `marts`.
    package let name: String
    /// Rows that were wrong, or missing.
    package let rows: Int64

    package init(name: String, rows: Int64) {
        (self.name, self.rows) = (name, rows)
    }
}

/// Throws where another run has the turn to write reports by now.
///
/// It is called within each transaction that moves the tables on, and before an issue is put in its place: until that
/// transaction ends, no other run takes the turn.
package typealias IssueFence = @Sendable (PostgresConnection) async throws -> Void

/// How many parts of the history report tables are made of by now, and of how many: of the first report, of one after a
/// definition changed, and of one as of an earlier seal.
package typealias BuildProgress = @Sendable (_ made: Int64, _ of: Int64) -> Void
