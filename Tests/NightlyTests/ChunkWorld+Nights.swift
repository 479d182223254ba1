// SPDX-License-Identifier: Apache-2.0

import Model
import Nightly
import Runs
import Stores
import TestSupport

extension ChunkWorld {
    /// A whole night, so many days after 1 March; returns how it ended.
    @discardableResult
    func night(_ day: Int64, asking store: some Store) async throws -> Run.Outcome {
        try await result(of: day, asking: store).outcome
    }

    /// The same.
    ///
    /// `pull`: why the stores' notifications could not be read; nil where they were.
    func result(
        of day: Int64, asking store: some Store, pull failure: StoreFailure? = nil
    ) async throws -> RunResult {
        var options = NightlyOptions(now: Self.march + .days(day), reportDirectory: "", timeZone: .utc)
        options.reports = false
        return try await NightlyRun(
            sessions: sessions, apps: [store.app], options: options, logger: log.logger, progress: Unwatched()
        ) { _, apps, _ in
            failure.map { failure in Dictionary(uniqueKeysWithValues: apps.map { ($0.id, failure) }) } ?? [:]
        }.run().result
    }

    func register(_ storeKeys: [String]) async throws {
        for key in storeKeys { try await connection.script("select subledger.register('acme-ios', '\(key)')") }
    }

    /// What of answers was set aside: the row, its nights, and whether it is open still.
    func letters() async throws -> [String] {
        try await connection.lines(
            """
            select coalesce(transaction_id, '-'), reason, attempts, resolved_at is null
            from subledger.dead_letters order by dead_letter_id
            """)
    }

    /// When a subscription is asked next and why, in days after 1 March.
    func nextCheck(of storeKey: String) async throws -> String {
        try await connection.lines(
            """
            select extract(epoch from next_check_at - '2026-03-01 00:00Z') / 86400, next_check_reason, state
            from subledger.subscriptions where store_key = '\(storeKey)'
            """
        ).joined()
    }
}
