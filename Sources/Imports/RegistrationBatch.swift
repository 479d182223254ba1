// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog
import Stores

/// Lines that are registered in one transaction, all at once: what a line costs does not depend on how many there are.
struct RegistrationBatch {
    /// What became of the lines.
    struct Outcome {
        /// Subscriptions that were not there before.
        var new = 0
        /// Lines of a second account.
        var refused: [BadLine] = []
    }

    struct Entry {
        let number: Int
        fileprivate let line: SubscriptionLine
        fileprivate let storeKey: String
        fileprivate let key: SubscriptionKey
    }

    private static let otherAccount: BadLine.Reason =
        "it belongs to another account; register(…, transfer => true) moves a purchase"

    private(set) var entries: [Entry] = []
    /// Of their receipts.
    private(set) var bytes = 0

    var count: Int { entries.count }

    init() {}

    /// Some of another batch's lines.
    init(_ part: ArraySlice<Entry>) { entries = Array(part) }

    mutating func add(_ line: SubscriptionLine, number: Int) {
        // A bare receipt is registered under a name made of its text until an answer of the store lists what is in it.
        let storeKey = line.storeKey ?? Receipt.placeholder(for: line.receipt ?? "")
        let key = SubscriptionKey(appID: AppID(line.appID), storeKey: storeKey)
        entries.append(Entry(number: number, line: line, storeKey: storeKey, key: key))
        bytes += line.receipt?.utf8.count ?? 0
    }

    /// Registers them within the caller's transaction.
    ///
    /// Throws `Overtaken` where somebody registered one of them meanwhile: roll back and do it again.
    func write(on connection: PostgresConnection, now: Instant) async throws -> Outcome {
        var outcome = Outcome()
        let asked = try await askKnownReceiptsAgain(on: connection)
        outcome.refused = asked.filter(\.value).keys.map { BadLine(number: $0, reason: Self.otherAccount) }
        let remaining = entries.filter { asked[$0.number] == nil }
        let known = try await KnownRegistrations(of: remaining.map(\.key), on: connection)
        var registrations: [SubscriptionKey: Registration] = [:]
        for entry in remaining {
            var registration =
                registrations[entry.key]
                ?? known.registration(of: entry.key, appID: entry.line.appID, storeKey: entry.storeKey)
            if !registration.take(entry.line) {
                outcome.refused.append(BadLine(number: entry.number, reason: Self.otherAccount))
            }
            registrations[entry.key] = registration
        }
        let taken = registrations.values.filter(\.isTaken).sorted { $0.key < $1.key }
        outcome.new = taken.count { !$0.isKnown }
        try await RegistrationWriter(connection: connection, known: known).write(taken, now: now)
        return outcome
    }

    /// A bare receipt that was handed in before makes its subscriptions due, instead of representing a new one.
    ///
    /// By line number, and whether they are another account's.
    private func askKnownReceiptsAgain(
        on connection: PostgresConnection
    ) async throws(PostgresError) -> [Int: Bool] {
        let bare = entries.filter { $0.line.storeKey == nil }
        guard !bare.isEmpty else { return [:] }
        let rows = try await connection.query(
            SQL.Import.askReceiptsAgain,
            [
                .intArray(bare.map { Int64($0.number) }), .textArray(bare.map(\.line.appID)),
                .textArray(bare.map(\.line.receipt)), .textArray(bare.map(\.line.accountID)),
            ])
        var asked: [Int: Bool] = [:]
        for row in rows { asked[try row.int("line_no")] = try row.bool("is_anothers") }
        return asked
    }
}
