// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog

/// Lines that are registered in one transaction.
struct RegistrationBatch {
    private var lines: [(number: Int, line: SubscriptionLine)] = []
    /// Of their receipts.
    private(set) var bytes = 0

    var count: Int { lines.count }

    mutating func add(_ line: SubscriptionLine, number: Int) {
        lines.append((number, line))
        bytes += line.receipt?.utf8.count ?? 0
    }

    /// Registers them; returns how many subscriptions are new. Runs within the caller's transaction.
    func write(on connection: PostgresConnection, now: Instant) async throws(PostgresError) -> Int {
        let askedAgain = try await askKnownReceiptsAgain(on: connection)
        let remaining = lines.filter { !askedAgain.contains($0.number) }
        guard !remaining.isEmpty else { return 0 }
        let column = { (path: (SubscriptionLine) -> String?) in PostgresValue.textArray(remaining.map { path($0.line) })
        }
        let rows = try await connection.query(
            SQL.Import.registerSubscriptions,
            [
                .intArray(remaining.map { Int64($0.number) }), column(\.appID), column(\.storeKey), column(\.accountID),
                column(\.productID), column(\.environment), column(\.country), column(\.receipt),
            ])
        return try await fill(rows, now: now, on: connection)
    }

    /// A bare receipt that was handed in before makes its subscriptions due, instead of standing for a new one.
    private func askKnownReceiptsAgain(on connection: PostgresConnection) async throws(PostgresError) -> Set<Int> {
        let bare = lines.filter { $0.line.storeKey == nil }
        guard !bare.isEmpty else { return [] }
        let rows = try await connection.query(
            SQL.Import.askReceiptsAgain,
            [
                .intArray(bare.map { Int64($0.number) }), .textArray(bare.map(\.line.appID)),
                .textArray(bare.map(\.line.receipt)),
            ])
        var numbers: Set<Int> = []
        for row in rows { numbers.insert(try row.int("line_no")) }
        return numbers
    }

    private func fill(
        _ rows: [PostgresRow], now: Instant, on connection: PostgresConnection
    ) async throws(PostgresError) -> Int {
        let expiries = Dictionary(lines.map { ($0.number, $0.line.expiresAt) }) { first, _ in first }
        var (keys, news, ends): ([Int64], [String?], [String?]) = ([], [], [])
        var new: Set<Int64> = []
        for row in rows {
            let (key, isNew) = (try row.int64("subscription_key"), try row.bool("is_new"))
            if isNew { new.insert(key) }
            keys.append(key)
            news.append(isNew ? "t" : "f")
            ends.append(expiries[try row.int("line_no")].flatMap(\.self)?.iso8601)
        }
        try await connection.execute(
            SQL.Import.fillRegistrations, [.intArray(keys), .textArray(news), .textArray(ends), PostgresValue(now)])
        return new.count
    }
}
