// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Postgres
import Runs

/// Where an intake books: in a run of its own, or beside an open night, under the night's run and by its own clock.
struct BookingPlace: Sendable {
    /// The night was sealed while purchases were looked at: they are for a run of the intake's own.
    struct NightIsOver: Error {}

    /// The night it works beside; nil: the run is its own.
    let night: Int64?
    /// Its own, or what the rows beside the night carry.
    let run: Run
    let ledger: RunLedger
    let database: PostgresConfiguration
    let renewal: Duration
    let logger: Logger

    init(ownRun run: Run, _ ledger: RunLedger, on database: PostgresConfiguration, logger: Logger) {
        (night, self.run, self.ledger, self.database, self.logger) = (nil, run, ledger, database, logger)
        renewal = .zero
    }

    init(
        beside night: Int64, now: Instant, leaseSeconds: Int64, _ ledger: RunLedger, on database: PostgresConfiguration,
        logger: Logger
    ) {
        self.night = night
        run = Run(id: night, job: .intake, now: now, generation: 0, isResumed: false)
        (self.ledger, self.database, self.logger) = (ledger, database, logger)
        renewal = .seconds(leaseSeconds) / 3
    }

    /// Claims the app's purchases, where the run is not its own, for as long as the body runs.
    ///
    /// The body returns true where the chunk was loaded: else it is given up.
    func claiming(
        _ app: AppID, for request: RunRequest, _ body: (BesideChunk?) async throws -> Bool
    ) async throws {
        guard let night else {
            _ = try await body(nil)
            return
        }
        guard let chunk = try await ledger.claim(beside: night, request, logger: logger) else { throw NightIsOver() }
        let upkeep = Task { await renew(chunk) }
        defer { upkeep.cancel() }
        do {
            if try await !body(chunk) { try await ledger.giveUp(chunk) }
        } catch {
            // In a task of its own: an interrupted one sends no statement.
            await Task { _ = try? await ledger.giveUp(chunk) }.value
            throw error
        }
    }

    /// Renews the lease until it is cancelled.
    ///
    /// One that is lost stops nothing here: the load is refused.
    private func renew(_ chunk: BesideChunk) async {
        while (try? await Task.sleep(for: renewal)) != nil {
            do {
                let connection = try await PostgresConnection.connect(database, logger: logger)
                defer { Task { await connection.close() } }
                try await ledger.renew(chunk, on: connection)
            } catch {
                guard !Task.isCancelled else { return }
                logger.warning("the lease on purchases could not be renewed", metadata: ["error": "\(error)"])
            }
        }
    }
}
