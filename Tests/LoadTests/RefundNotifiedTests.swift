// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// When a refund was reported: known until the store has answered since, for that answer was booked with it.
@Suite struct RefundNotifiedTests {
    private static let reported = LoadWorld.march + .hours(11)

    private static func refund(
        _ world: LoadWorld, reportedAt: Instant?, row: String? = nil, of transaction: String? = nil
    ) async throws {
        let key = PostgresValue.intArray([LoadWorld.key.rawValue])
        let parameters: [PostgresValue] = [
            PostgresValue(LoadWorld.app), key, key, .textArray([reportedAt.map { String($0.micros) }]), key,
            .textArray([row]), .textArray([transaction]),
        ]
        _ = try await world.connection.query(SQL.Notifications.requestCheckOfNotified, parameters)
    }

    private static func known(_ world: LoadWorld) async throws -> [String] {
        try await world.connection.lines(
            "select to_char(refund_notified_at at time zone 'UTC', 'MM-DD HH24:MI') as told from subledger.subscriptions"
        )
    }

    @Test(
        arguments: [
            (.active, 1, ""), (.expired, 1, ""), (.nothing, 1, "03-01 11:00"), (.active, 0, "03-01 11:00"),
            (.expired, 0, "03-01 11:00"),
        ] as [(CheckRequestTests.Finding, Int64, String)])
    func `B6: an answer clears the time of a refund notification; a failed check or an older answer does not`(
        _ finding: CheckRequestTests.Finding, checkRequestsSeen: Int64, left: String
    ) async throws {
        try await LoadWorld.with { world in
            try await Self.refund(world, reportedAt: Self.reported)
            #expect(try await Self.known(world) == ["03-01 11:00"])
            try await world.night(1, finding.rows(checkRequestsSeen: checkRequestsSeen))
            #expect(try await Self.known(world) == [left])
        }
    }

    private static func rows(_ world: LoadWorld) async throws -> [String] {
        try await world.connection.lines(
            "select array_to_string(notified_rows, ' '), is_history_notified from subledger.subscriptions")
    }

    /// A row once, however often it is sent; a refund without one besides.
    @Test(arguments: [(4, "|false"), (3, "a b|true")] as [(Int64, String)])
    func `B6: rows that notifications carried wait for an answer that was asked for since`(seen: Int64, left: String)
        async throws
    {
        try await LoadWorld.with { world in
            for row in ["b", "a"] { try await Self.refund(world, reportedAt: Self.reported, row: row) }
            #expect(try await Self.rows(world) == ["a b|false"])
            try await Self.refund(world, reportedAt: nil)
            try await Self.refund(world, reportedAt: nil, row: "a")
            #expect(try await Self.rows(world) == ["a b|true"])
            try await world.night(1, CheckRequestTests.Finding.active.rows(checkRequestsSeen: seen))
            #expect(try await Self.rows(world) == [left])
        }
    }

    /// Refunded on the 9th; on the 11th a notification takes it back, and an answer of the 13th shows it.
    ///
    /// One that names another transaction says nothing of this one.
    @Test(
        arguments: [
            (10, nil, "03-11 00:00"), (7, nil, "03-13 00:00"), (nil, nil, "03-13 00:00"),
            (10, "t1", "03-11 00:00"), (7, "t1", "03-13 00:00"), (10, "t9", "03-13 00:00"),
            (10, "restored", "03-11 00:00"),
        ] as [(Int64?, String?, String)])
    func `B6: a refund that is taken back is dated by its notification, else by the answer`(
        reported: Int64?, transaction: String?, dated: String
    ) async throws {
        try await LoadWorld.with { world in
            try await world.night(1, LoadWorld.period { $0.refund(9_990_000, onDay: 8) })
            try await world.connection.script(
                "insert into subledger.transaction_aliases select subscription_key, 'restored', transaction_id, 1 from subledger.transactions"
            )
            if let reported {
                try await Self.refund(
                    world, reportedAt: LoadWorld.march + .days(reported), row: "a", of: transaction)
            }
            try await world.night(2, LoadWorld.period(signed: 12))
            #expect(try await world.ledger().last == "3|refund_reversal|9990000|USD|\(dated)|2|")
        }
    }

    @Test func `B6: a reversal of an id that the same answer gives as a restored one is dated by its notification`()
        async throws
    {
        try await LoadWorld.with { world in
            try await world.night(1, LoadWorld.period { $0.refund(9_990_000, onDay: 8) })
            try await Self.refund(world, reportedAt: LoadWorld.march + .days(10), row: "a", of: "t1b")
            var rows = LoadWorld.period(signed: 12)
            rows.aliases = [TransactionAlias(key: LoadWorld.key, alias: "t1b", transactionID: "t1")]
            try await world.night(2, rows)
            #expect(try await world.ledger().last == "3|refund_reversal|9990000|USD|03-11 00:00|2|")
        }
    }

    private static func reports(_ world: LoadWorld) async throws -> [String] {
        try await world.connection.lines(
            "select refund_reports::text, refund_notified_at is null as is_named from subledger.subscriptions")
    }

    /// Whichever order they come in, and from run to run.
    @Test func `B6: of each transaction the first report counts`() async throws {
        try await LoadWorld.with { world in
            for (hour, transaction) in [(11, "t1"), (9, "t1"), (10, "t2"), (12, "t2")] as [(Int64, String)] {
                try await Self.refund(
                    world, reportedAt: LoadWorld.march + .hours(hour), row: "a", of: transaction)
            }
            try await Self.refund(world, reportedAt: nil, row: "b", of: "t3")
            let nine = (LoadWorld.march + .hours(9)).micros
            let ten = (LoadWorld.march + .hours(10)).micros
            #expect(try await Self.reports(world) == [#"{"t1": \#(nine), "t2": \#(ten)}|true"#])
            try await world.night(1, CheckRequestTests.Finding.active.rows(checkRequestsSeen: 5))
            #expect(try await Self.reports(world) == ["|true"])
        }
    }

    @Test func `B6: after the answer the next refund notification counts`() async throws {
        try await LoadWorld.with { world in
            try await Self.refund(world, reportedAt: Self.reported)
            try await world.night(1, CheckRequestTests.Finding.active.rows(checkRequestsSeen: 1))
            try await Self.refund(world, reportedAt: Self.reported + .days(3))
            #expect(try await Self.known(world) == ["03-04 11:00"])
            // One that was not dated takes nothing away.
            try await Self.refund(world, reportedAt: nil)
            #expect(try await Self.known(world) == ["03-04 11:00"])
        }
    }
}
