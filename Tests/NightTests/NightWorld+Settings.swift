// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport

extension NightWorld {
    /// What is due for an app, and how much of it nobody has answered, as of an instant.
    struct Backlog: Hashable {
        let due: Int
        let neverAnswered: Int
    }

    /// Changes the configuration's text while the body runs.
    func with(_ changes: [(String, String)], _ body: () async throws -> Void) async throws {
        let right = try String(contentsOfFile: configuration, encoding: .utf8)
        var text = right
        for (old, new) in changes {
            guard let place = text.range(of: old) else { throw NightError("the configuration does not say \(old)") }
            text.replaceSubrange(place, with: new)
        }
        try text.write(toFile: configuration, atomically: true, encoding: .utf8)
        try await body()
        try right.write(toFile: configuration, atomically: true, encoding: .utf8)
    }

    /// The clock of world and stores moves on, and what was bought until then is handed in.
    func moveOn(to now: Instant, since last: Instant = .distantPast) async throws {
        stores.setClock(now.micros)
        try await register(from: last, to: now)
    }

    /// A run of the night with nothing handed in before.
    func runAgain(at now: Instant, _ options: String...) async throws -> CommandLineRun.Result {
        stores.setClock(now.micros)
        let arguments = ["nightly", "--now", now.iso8601, "--config", configuration] + options
        return try await CommandLineRun(product: "subledger", arguments: arguments).run()
    }

    func backlog(of app: String, at now: Instant) async throws -> Backlog {
        let line = try await connection.lines(
            """
            select count(*) filter (where next_check_at <= '\(now.iso8601)') as due,
                count(*) filter (where last_checked_at is null) as never
            from subledger.subscriptions where app_id = '\(app)'
            """
        ).first
        let cells = line?.split(separator: "|").compactMap { Int($0) } ?? []
        guard cells.count == 2 else { throw NightError("the backlog of \(app) could not be counted") }
        return Backlog(due: cells[0], neverAnswered: cells[1])
    }

    /// Transactions, history, dead letters and failed checks of an app: what a night wrote, beside its run.
    func written(of app: String) async throws -> [String] {
        try await connection.lines(
            """
            select
                (select count(*) from subledger.transactions where app_id = '\(app)') as transactions,
                (
                    select count(*) from subledger.state_changes
                    join subledger.subscriptions using (subscription_key) where app_id = '\(app)'
                ) as changes,
                (select count(*) from subledger.dead_letters where app_id = '\(app)') as letters,
                (select count(*) from subledger.subscriptions where app_id = '\(app)' and failures > 0) as failed
            """)
    }
}
