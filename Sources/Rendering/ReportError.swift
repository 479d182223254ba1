// SPDX-License-Identifier: Apache-2.0

/// Why a report could not be issued.
///
/// PostgreSQL's own failures come as `PostgresError`.
package struct ReportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is.
    package enum Code: Sendable, Hashable {
        /// The report's folder cannot be written: no space, no permission, no such place.
        case files
        /// The database and this program disagree about what reports there are.
        case definitions
    }

    /// What to do with the work: a report is made again whole, or a person has to look.
    package enum Disposition: Sendable, Hashable { case retry, stop }

    package let code: Code
    /// The sentence: what failed, on what, why, what to do.
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    package var disposition: Disposition { code == .files ? .retry : .stop }
}
