// SPDX-License-Identifier: Apache-2.0

import Extract
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// What is known of a run's apps before its first question.
///
/// What other processes have said of them is the run's: which were stopped and why.
struct RunSoFar {
    private(set) var stops: [AppID: StoreFailure] = [:]
    /// Apps of which ids were answered well on earlier nights.
    private var answered: Set<AppID> = []

    /// Where its new leader reads, checks whose rows the database refused are planned again.
    static func read(
        _ host: NightHost.Identity, of apps: [StoreApp], on connection: PostgresConnection
    ) async throws -> RunSoFar {
        let run = host.run
        var soFar = RunSoFar()
        let ids = apps.map(\.id)
        soFar.answered = try await ExtractStage(connection: connection).answered(
            of: ids, before: run.now, besides: run.id)
        guard run.isResumed || !host.isLeading else { return soFar }
        for row in try await connection.query(SQL.Pipeline.listRunApps, [.int(run.id), .text(host.name)]) {
            let said = try SaidOfApp(row)
            soFar.stops[said.app] = said.stop
        }
        guard host.isLeading else { return soFar }
        let open = ids.filter { soFar.stops[$0] == nil }
        try await connection.execute(
            SQL.Pipeline.reopenUndecided,
            [.int(run.id), .textArray(open.map(\.rawValue)), PostgresValue(run.now), .int(run.generation)])
        return soFar
    }

    /// Where checks are deferred.
    func deferredChecks(of apps: [StoreApp]) -> DeferredChecks {
        DeferredChecks(of: apps.map(\.store), answered: answered)
    }
}
