// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Runs
import SQLCatalog

/// The ledger of what was said of which issue to whom.
///
/// Recipients share its connection: every call but `lock` is one statement, so that none falls into another's transaction.
struct DeliveryLedger: Sendable {
    /// The issue that was sealed last.
    struct Issue: Sendable {
        let seal: Int64
        let folder: String
        /// Nil of one from before such checksums were kept.
        let manifestSHA256: String?
    }

    /// What became of a message so far.
    struct Entry: Sendable {
        let isDelivered: Bool
        let deliveries: Int64
        /// How long no further try is due.
        let wait: Duration
    }

    /// Which message to whom.
    struct Key: Hashable, Sendable {
        let recipient: String
        let kind: DeliveryMessage.Kind
    }

    let connection: PostgresConnection

    /// False where another call sends. It is let go of with `unlock`, or with the session. Before recipients share the connection:
    /// it is a transaction.
    func lock() async throws -> Bool {
        try await connection.withTransaction { connection in
            guard try await !connection.query(SQL.Send.lockSending).isEmpty else {
                throw PipelineError(.schemaDiffers, "subledger.report_sending has no row: run subledger migrate")
            }
            return try await !connection.query(SQL.Send.takeSending).isEmpty
        }
    }

    func unlock() async throws(PostgresError) { try await connection.execute(SQL.Send.endSending) }

    func newestIssue(in directory: String) async throws(PostgresError) -> Issue? {
        guard let row = try await connection.query(SQL.Send.newestIssue, [.text(directory)]).first else { return nil }
        return Issue(
            seal: try row.int64("seal"), folder: try row.string("path"),
            manifestSHA256: try row.optionalString("manifest_sha256"))
    }

    /// Since the issue before.
    func unknownValues(of seal: Int64) async throws(PostgresError) -> Int64 {
        try await connection.query(SQL.Send.countUnknownValues, [.int(seal)]).first?.int64("number") ?? 0
    }

    func entries(of seal: Int64) async throws(PostgresError) -> [Key: Entry] {
        var entries: [Key: Entry] = [:]
        for row in try await connection.query(SQL.Send.listDeliveries, [.int(seal)]) {
            guard let kind = DeliveryMessage.Kind(rawValue: try row.string("message")) else { continue }
            entries[Key(recipient: try row.string("recipient"), kind: kind)] = Entry(
                isDelivered: try row.string("state") == "delivered", deliveries: try row.int64("deliveries"),
                wait: .microseconds(try row.optionalInt64("wait_micros") ?? 0))
        }
        return entries
    }

    func begin(_ message: DeliveryMessage) async throws(PostgresError) {
        try await connection.execute(SQL.Send.beginDelivery, key(message))
    }

    /// - Parameter kinds: what the recipient knows now; the message may have said more than its own kind.
    func end(_ message: DeliveryMessage, as kinds: [DeliveryMessage.Kind]) async throws(PostgresError) {
        try await connection.execute(
            SQL.Send.endDelivery,
            [.int(message.seal), .text(message.recipient.name), .textArray(kinds.map(\.rawValue))])
    }

    func fail(_ message: DeliveryMessage, _ reason: String, nextTryAfter wait: Duration?) async throws(PostgresError) {
        let micros = wait.map { $0.components.seconds * 1_000_000 + $0.components.attoseconds / 1_000_000_000_000 }
        try await connection.execute(
            SQL.Send.failDelivery, key(message) + [.text(reason), PostgresValue(micros)])
    }

    private func key(_ message: DeliveryMessage) -> [PostgresValue] {
        [.int(message.seal), .text(message.recipient.name), .text(message.kind.rawValue)]
    }
}
