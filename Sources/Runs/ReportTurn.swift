// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
package import Postgres
import SQLCatalog

/// A run's turn to be sealed and to write reports: no run moves the reports' tables past a seal before they were read at it, or the
/// report would have to be made from the whole history.
///
/// One leader at a time has it, for as long as the lease of its run holds. After that the next one takes it and ends the session of
/// the one before; what that one still writes is refused by the fence, `confirm`.
package struct ReportTurn: Sendable {
    private let run: Run

    package init(of run: Run) {
        self.run = run
    }

    /// Throws `PipelineError` where another leader has the turn by now, or leads the run.
    ///
    /// Within a transaction no other takes it before that ends.
    package func confirm(on connection: PostgresConnection) async throws {
        guard try await connection.query(SQL.Pipeline.confirmReportTurn, parameters).isEmpty else { return }
        throw PipelineError(
            .alreadyRunning,
            "run \(run.id) lost its turn to write reports: its lease was over, and another run went on; nothing more is written, "
                + "run it again")
    }

    /// Waits for it as long as another leader's lease holds.
    ///
    /// Throws `PipelineError` where the run is another leader's.
    func take(on connection: PostgresConnection, logger: Logger) async throws {
        var wait = ReportedWait(connection.configuration.waiting)
        var pause = Duration.milliseconds(10)
        while try await !attempt(on: connection, logger: logger, &wait) {
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(500))
        }
    }

    /// Lets the next run write its reports.
    func end(on connection: PostgresConnection) async throws(PostgresError) {
        try await connection.execute(SQL.Pipeline.endReportTurn, parameters)
    }

    private var parameters: [PostgresValue] { [.int(run.id), .int(run.generation)] }

    private func attempt(
        on connection: PostgresConnection, logger: Logger, _ wait: inout ReportedWait
    ) async throws -> Bool {
        guard let row = try await connection.query(SQL.Pipeline.readReportTurn, parameters).first else {
            throw PipelineError(.schemaDiffers, "subledger.report_turn has no row: run subledger migrate")
        }
        guard try row.bool("is_leading") else {
            throw PipelineError.takenOver(run)
        }
        guard try !row.bool("is_leased") else {
            if wait.isDue() {
                let sentence = try Self.sentence(row)
                logger.notice("run \(run.id) waits to write its reports: \(sentence)")
            }
            return false
        }
        try await endSession(row, on: connection, logger: logger)
        return try await connection.withTransaction { connection in
            try await connection.execute(SQL.Pipeline.lockReportTurn)
            return try await !connection.query(SQL.Pipeline.takeReportTurn, parameters).isEmpty
        }
    }

    private static func sentence(_ row: PostgresRow) throws -> String {
        "\(try PipelineError.openRun(row)), and has written reports since \(try row.instant("taken_at").iso8601)"
    }

    /// A frozen process may have left a transaction open, with locks on the reports' tables.
    private func endSession(_ row: PostgresRow, on connection: PostgresConnection, logger: Logger) async throws {
        guard let process = try row.optionalInt64("server_process") else { return }
        let session = LeftSession(
            process: process, startedAt: try row.instant("session_started_at"),
            whose: "of a run whose lease, and with it the turn to write reports, is over")
        try await session.end(on: connection)?.report(to: logger)
    }
}
