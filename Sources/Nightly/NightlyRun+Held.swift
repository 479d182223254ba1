// SPDX-License-Identifier: Apache-2.0

import Load
import Logging
import Model
import Postgres
import Runs
import Stores

extension NightlyRun {
    /// Judges what was held back of every app: its setting is wrong and it stops, or each check is booked as it seems.
    func judge(_ held: HeldChecks, _ connection: PostgresConnection, _ stops: StoppedApps) async throws {
        for app in apps { try await judge(app.id, held, connection, stops) }
    }

    func judge(
        _ app: AppID, _ held: HeldChecks, _ connection: PostgresConnection, _ stops: StoppedApps
    ) async throws {
        switch await held.judge(app) {
        case .wrongSetting(let failure):
            if await stops.failures[app]?.reason == failure.reason { return }
            // It explains whatever else went wrong.
            await stops.stop(app, because: failure, isCause: true)
            logger.error("the app stops: \(failure)", metadata: ["app": "\(app)", "reason": "\(failure.reason)"])
        case .asTheySeem(let late):
            for it in late { try await load(it, on: connection) }
        }
    }

    private func load(_ late: HeldChecks.Held, on connection: PostgresConnection) async throws {
        do {
            try await LoadStage(connection: connection).add(late.rows, to: late.chunk, counts: late.rows.counts)
        } catch let error as LoadError {
            guard case .leaseLost = error else { throw error }
            logger.warning("chunk lost", metadata: ["chunk": "\(late.chunk.number)"])
        }
    }
}
