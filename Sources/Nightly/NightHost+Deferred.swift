// SPDX-License-Identifier: Apache-2.0

import Load
import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

extension NightHost {
    /// Decides on every app's deferred checks: its setting is wrong and it stops, or each check is booked as it seems.
    func decide() async throws { try await decide(on: apps.map(\.id)) }

    /// On those that any host of the run has deferred.
    func decide(on apps: [AppID]) async throws {
        let parameters: [PostgresValue] = [.int(run.id), .textArray(apps.map(\.rawValue))]
        let waiting = try await sessions.use { try await $0.query(SQL.Pipeline.listDeferred, parameters) }
        let byApp = Dictionary(grouping: waiting) { (try? $0.string("app_id")) ?? "" }
        for (app, rows) in byApp.sorted(by: { $0.key < $1.key }) { try await decide(on: AppID(app), rows) }
    }

    /// Once a setting is found to be wrong, none of them is booked any more.
    private func decide(on app: AppID, _ waiting: [PostgresRow]) async throws {
        guard await stops.failures[app]?.cause != .wrongSetting else { return }
        guard let failure = try await deferred.finding(app, from: suspicions(of: app)) else {
            for row in waiting { try await load(row, of: app) }
            return
        }
        // It explains whatever else went wrong.
        await stops.stop(app, because: failure, isCause: true)
        logger.error("\(failure.sentence(stopping: app))", metadata: ["app": "\(app)", "reason": "\(failure.reason)"])
    }

    private func suspicions(of app: AppID) async throws -> [String: Int64] {
        let rows = try await sessions.use {
            try await $0.query(SQL.Pipeline.listSuspicions, [.int(run.id), PostgresValue(app)])
        }
        var counts: [String: Int64] = [:]
        for row in rows { counts[try row.string("name")] = try row.int64("checks") }
        return counts
    }

    private func load(_ deferred: PostgresRow, of app: AppID) async throws {
        let load = try deferred.int64("load")
        let chunk = Chunk(
            runID: run.id, number: try deferred.int("chunk_no"), generation: 0, appID: app, now: run.now)
        let isRead = try await sessions.use { connection in
            try await LoadStage(connection: connection)
                .loadDeferred(load, of: chunk, leader: identity.isLeading ? run.generation : nil)
        }
        guard !isRead else { return }
        logger.warning(
            "checks that were deferred cannot be read, as those of another version of the program: they are made again",
            metadata: ["app": "\(app)", "chunk": "\(chunk.number)"])
    }
}
