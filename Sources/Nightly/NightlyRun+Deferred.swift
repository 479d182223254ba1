// SPDX-License-Identifier: Apache-2.0

import Load
import Logging
import Model
import Postgres
import Runs
import Stores

extension NightlyRun {
    /// Decides on every app's deferred checks: its setting is wrong and it stops, or each check is booked as it seems.
    func decide(_ deferred: DeferredChecks, _ stops: StoppedApps) async throws {
        for app in apps { try await decide(deferred, of: app.id, stops) }
    }

    func decide(_ deferred: DeferredChecks, of app: AppID, _ stops: StoppedApps) async throws {
        switch await deferred.decide(app) {
        case .wrongSetting(let failure):
            if await stops.failures[app]?.reason == failure.reason { return }
            // It explains whatever else went wrong.
            await stops.stop(app, because: failure, isCause: true)
            logger.error("the app stops: \(failure)", metadata: ["app": "\(app)", "reason": "\(failure.reason)"])
        case .asTheySeem(let late):
            for it in late { try await load(it) }
        }
    }

    private func load(_ late: DeferredChecks.DeferredCheck) async throws {
        let chunk = late.chunk.withNewLoad
        do {
            try await sessions.load(chunk) { connection in
                try await LoadStage(connection: connection).add(late.rows, to: chunk, counts: late.rows.counts)
            }
        } catch let error as LoadError {
            guard case .leaseLost = error else { throw error }
            logger.warning("chunk lost", metadata: ["chunk": "\(late.chunk.number)"])
        }
    }
}
