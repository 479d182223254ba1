// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
internal import SQLCatalog

/// The database's clock beside this machine's: one of them being wrong, what is due is not what it seems.
package enum DatabaseClock {
    /// What network and load may put between two clocks that agree.
    package static let tolerance = Span.minutes(10)

    package static func read(on connection: PostgresConnection) async throws(PostgresError) -> Instant {
        guard let row = try await connection.query(SQL.Pipeline.readClock).first else {
            throw PostgresError(.decoding, "the database does not tell the time")
        }
        return try row.instant("clock")
    }

    /// Throws `PipelineError` `.clockDiffers` where the two are too far apart for a run to begin by this machine's clock.
    package static func compare(machine: Instant, database: Instant) throws(PipelineError) {
        let distance = machine > database ? machine - database : database - machine
        guard distance > tolerance else { return }
        throw PipelineError(
            .clockDiffers,
            "this machine's clock (\(machine.iso8601)) and the database's (\(database.iso8601)) are more than "
                + "\(tolerance.micros / 60_000_000) minutes apart: set the wrong one right, or say with --now what time it is"
        )
    }
}
