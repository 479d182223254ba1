// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Runs
import SQLCatalog

/// The ledger of what was said of which issue to whom.
///
/// Where its session is lost, it goes on over another one.
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

    let sessions: DatabaseSessions

    /// Takes the turn to send.
    ///
    /// It is this session's until `giveBack`, or for as long as it lives. Throws `PipelineError` `.alreadyRunning`
    /// where another call has it.
    func take() async throws {
        try await sessions.use { connection in try await connection.withTransaction { try await take(on: $0) } }
    }

    private func take(on connection: PostgresConnection) async throws {
        guard try await !connection.query(SQL.Send.lockSending).isEmpty else {
            throw PipelineError(.schemaDiffers, "subledger.report_sending has no row: run subledger migrate")
        }
        guard try await !connection.query(SQL.Send.takeSending).isEmpty else {
            throw PipelineError(.alreadyRunning, "another report --send is at work: what is due is sent by that one")
        }
    }

    func giveBack() async throws { try await sessions.use { try await $0.execute(SQL.Send.endSending) } }

    func newestIssue(in directory: String) async throws -> Issue? {
        try await sessions.use { connection in
            guard let row = try await connection.query(SQL.Send.newestIssue, [.text(directory)]).first else {
                return nil
            }
            return Issue(
                seal: try row.int64("seal"), folder: try row.string("path"),
                manifestSHA256: try row.optionalString("manifest_sha256"))
        }
    }

    /// Since the issue before.
    func unknownValues(of seal: Int64) async throws -> Int64 {
        try await sessions.use { connection in
            try await connection.query(SQL.Send.countUnknownValues, [.int(seal)]).first?.int64("number") ?? 0
        }
    }

    /// Business dates whose sealed night owes a report that is not there, the oldest first.
    func owedReports() async throws -> [String] {
        let rows = try await sessions.use { try await $0.query(SQL.Status.listOwedReports) }
        return try rows.map { try $0.string("business_date") }
    }

    func entries(of seal: Int64) async throws -> [Key: Entry] {
        let rows = try await sessions.use { try await $0.query(SQL.Send.listDeliveries, [.int(seal)]) }
        var entries: [Key: Entry] = [:]
        for row in rows {
            guard let kind = DeliveryMessage.Kind(rawValue: try row.string("message")) else { continue }
            entries[Key(recipient: try row.string("recipient"), kind: kind)] = Entry(
                isDelivered: try row.string("state") == "delivered", deliveries: try row.int64("deliveries"),
                wait: .microseconds(try row.optionalInt64("wait_micros") ?? 0))
        }
        return entries
    }

    /// An attempt begins, in this session's turn, which is taken again where it ended with a lost one: its number.
    ///
    /// Nil where another call delivered the message meanwhile.
    ///
    /// `deliveries`: times it was taken, as far as is known.
    func begin(_ message: DeliveryMessage, after deliveries: Int64) async throws -> Int64? {
        try await sessions.use { connection in
            try await connection.withTransaction { connection in
                try await take(on: connection)
                return try await connection.query(SQL.Send.beginDelivery, key(message) + [.int(deliveries)]).first?
                    .int64("attempts")
            }
        }
    }

    /// The message was taken.
    ///
    /// Once, however often it is said, and whatever became of an attempt that another call began meanwhile.
    ///
    /// `deliveries`: times it was taken before.
    /// `kinds`: what the recipient knows now; the message may have said more than its own kind.
    func end(_ message: DeliveryMessage, after deliveries: Int64, as kinds: [DeliveryMessage.Kind]) async throws {
        let values: [PostgresValue] = [.int(deliveries), .textArray(kinds.map(\.rawValue))]
        try await sessions.use { try await $0.execute(SQL.Send.endDelivery, key(message) + values) }
    }

    /// The attempt of that number failed, which says nothing of one that another call began after it.
    func fail(
        _ message: DeliveryMessage, attempt: Int64, reason: String, nextTryAfter wait: Duration?
    ) async throws {
        let micros = wait.map { $0.components.seconds * 1_000_000 + $0.components.attoseconds / 1_000_000_000_000 }
        let values: [PostgresValue] = [.int(attempt), .text(reason), PostgresValue(micros)]
        try await sessions.use { try await $0.execute(SQL.Send.failDelivery, key(message) + values) }
    }

    private func key(_ message: DeliveryMessage) -> [PostgresValue] {
        [.int(message.seal), .text(message.recipient.name), .text(message.kind.rawValue)]
    }
}
