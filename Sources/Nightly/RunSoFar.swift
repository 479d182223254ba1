// SPDX-License-Identifier: Apache-2.0

import Extract
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// What is known of a run's apps before its first question.
///
/// Of a run that is resumed, what the processes before said of them is the run's: which were stopped and why, what
/// their checks point to, what was spent.
struct RunSoFar {
    private(set) var stops: [AppID: StoreFailure] = [:]
    private(set) var spent: [AppID: ThrottledClient.Spent] = [:]
    /// Apps of which ids were answered well on earlier nights.
    private var answered: Set<AppID> = []
    private var suspicions: [AppID: ConfigurationSuspicion] = [:]

    /// Of a resumed run, checks that a dead process had deferred are planned again.
    static func read(_ run: Run, of apps: [StoreApp], on connection: PostgresConnection) async throws -> RunSoFar {
        var soFar = RunSoFar()
        let ids = apps.map(\.id)
        soFar.answered = try await ExtractStage(connection: connection).answered(
            of: ids, before: run.now, besides: run.id)
        guard run.isResumed else { return soFar }
        for row in try await connection.query(SQL.Pipeline.listRunApps, [.int(run.id)]) { try soFar.take(row) }
        try await soFar.readSuspicions(of: run, on: connection)
        let open = ids.filter { soFar.stops[$0] == nil }
        try await connection.execute(
            SQL.Pipeline.reopenUndecided, [.int(run.id), .textArray(open.map(\.rawValue)), PostgresValue(run.now)])
        return soFar
    }

    /// Where checks are deferred: none is yet.
    func deferredChecks(of apps: [StoreApp]) -> DeferredChecks {
        DeferredChecks(of: apps.map(\.store), answered: answered, suspicions: suspicions)
    }

    private mutating func take(_ row: PostgresRow) throws(PostgresError) {
        let app = AppID(try row.string("app_id"))
        spent[app] = ThrottledClient.Spent(
            calls: try row.int("calls"), retries: try row.int("retries"),
            waitedMilliseconds: try row.int64("waited_ms"))
        guard let kind = try row.optionalString("stop_kind").flatMap(StoreFailure.Kind.init(rawValue:)) else { return }
        stops[app] = StoreFailure(
            kind, reason: try row.string("stop_reason"), message: try row.string("stop_message"))
    }

    private mutating func readSuspicions(of run: Run, on connection: PostgresConnection) async throws {
        var counts: [AppID: [String: Int64]] = [:]
        for row in try await connection.query(SQL.Pipeline.listSuspicions, [.int(run.id)]) {
            counts[AppID(try row.string("app_id")), default: [:]][try row.string("name")] = try row.int64("checks")
        }
        suspicions = counts.mapValues(ConfigurationSuspicion.init(counts:))
    }
}
