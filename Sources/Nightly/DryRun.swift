// SPDX-License-Identifier: Apache-2.0

import Extract
import Load
import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// A night that asks the stores and reports what would change.
///
/// It opens no run and writes nothing.
struct DryRun {
    let sessions: DatabaseSessions
    let apps: [StoreApp]
    let options: NightlyOptions
    let logger: Logger

    func run() async throws -> RunSummary {
        var summary = RunSummary(
            runID: nil, businessDate: options.businessDate, result: .done, counts: [:], revenue: [],
            stoppedApps: [],
            reportPath: nil)
        var stops: [StoreFailure] = []
        for app in apps {
            guard let failure = try await rehearse(app, into: &summary) else { continue }
            stops.append(failure)
            summary.stoppedApps.append((app.id, failure.message))
        }
        summary.result = RunResult(unfinished: stops, of: apps.count)
        return summary
    }

    /// Why the app was stopped by its store, or would be; nil where it was not.
    private func rehearse(_ app: StoreApp, into summary: inout RunSummary) async throws -> StoreFailure? {
        if let refusal = app.store.refusal { return refusal }
        let keys = try await sessions.use { try await dueKeys(of: app, on: $0) }
        summary.counts["due", default: 0] += Int64(keys.count)
        var suspicion = ConfigurationSuspicion()
        for start in stride(from: 0, to: keys.count, by: options.chunkSize) {
            let slice = Array(keys[start..<min(start + options.chunkSize, keys.count)])
            if let failure = try await rehearse(slice, of: app, into: &summary, &suspicion) {
                return failure
            }
        }
        let wasAnswered = try await sessions.use {
            try await ExtractStage(connection: $0).answered(of: [app.id], before: options.now)
        }
        return suspicion.finding(wasAppAnswered: !wasAnswered.isEmpty, app.store.suspect)?.failure(of: app.id)
    }

    private func dueKeys(of app: StoreApp, on connection: PostgresConnection) async throws -> [SubscriptionKey] {
        try await connection.query(
            SQL.Pipeline.listDueKeys,
            [
                PostgresValue(app.id), PostgresValue(options.now), .bool(options.all),
                .bool(try await app.looks(by: ExtractStage(connection: connection)).areMade),
            ]
        ).map { try $0.subscriptionKey("subscription_key") }
    }

    /// Why the app was stopped by its store, if it was.
    private func rehearse(
        _ keys: [SubscriptionKey], of app: StoreApp, into summary: inout RunSummary,
        _ suspicion: inout ConfigurationSuspicion
    ) async throws -> StoreFailure? {
        let round = CheckRound(
            app: app, now: options.now, isAudit: options.all, timeZone: options.timeZone, logger: logger)
        var open = keys
        while !open.isEmpty {
            let known = try await sessions.use { try await round.read(open, on: $0) }
            let checked = await round.check(known)
            suspicion.add(checked.rows.suspicion)
            let rows = ChunkRows(merging: checked.rows.loaded + checked.rows.suspicious)
            count(rows, against: known.due, into: &summary)
            if let failure = checked.stopped { return failure }
            open = checked.remaining + known.unread
        }
        return nil
    }

    private func count(_ rows: ChunkRows, against due: [DueSubscription], into summary: inout RunSummary) {
        let known = Dictionary(due.map { ($0.key, Set($0.known.map(\.transactionID))) }) { first, _ in first }
        let states = Dictionary(due.map { ($0.key, $0.snapshot.state) }) { first, _ in first }
        let new = rows.transactions.filter { known[$0.key]?.contains($0.transactionID) != true }
        let ended = rows.subscriptions.filter { $0.snapshot.state.isEnded && states[$0.key]?.isEnded != true }
        let figures = [
            "checked": rows.checked, "would_book": new.count, "would_end": ended.count,
            "discovered": rows.discoveries.count, "unread": rows.unread, "set_aside": rows.setAside.count,
        ]
        for (name, figure) in figures { summary.counts[name, default: 0] += Int64(figure) }
    }
}
