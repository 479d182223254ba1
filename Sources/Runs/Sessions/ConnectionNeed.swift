// SPDX-License-Identifier: Apache-2.0

package import Postgres

/// How many connections with the database jobs take at most: so many for three apps as for three thousand.
///
/// Pure.
package enum ConnectionNeed {
    /// Of a night, unless it is given another number.
    package static let usualWorkers = 2

    /// One renews leases however busy the others are, one looks for a session that gives no answer.
    package static let besides = 2

    /// For so many chunks that are loaded at once.
    package static func night(workers: Int) -> Int { workers + besides }

    /// Of a job that renews no lease: one to work with, and one that looks for it.
    package static let withoutLease = 2

    /// An error of a server that has no further connection, with how many the job takes, and what to do.
    package static func lacking(_ needed: Int, _ error: PostgresError) -> PostgresError {
        let fewer = needed > night(workers: 1) ? ", or give it fewer --workers" : ""
        return PostgresError(
            error.code,
            "\(error.message): this job takes up to \(needed) connections; let the server, the database and the role have as "
                + "many\(fewer)",
            sqlState: error.sqlState)
    }
}
