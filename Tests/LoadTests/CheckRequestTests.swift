// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// A request that makes a subscription due while its store is being asked takes effect, whatever the answer says.
@Suite struct CheckRequestTests {
    /// Everybody who makes subscriptions due, and the reason that stays.
    enum Waker: String, CaseIterable, Sendable {
        case registered, notified
        case refundNotified = "refund_notified"

        func requestCheck(_ connection: PostgresConnection) async throws {
            let key = PostgresValue.intArray([LoadWorld.key.rawValue])
            switch self {
            case .registered: try await connection.script("select subledger.register('acme-ios', '1000000481802759')")
            case .notified:
                let none: [PostgresValue] = [.intArray([]), .textArray([])]
                let parameters = [PostgresValue(LoadWorld.app), key] + none + none + [.textArray([])]
                _ = try await connection.query(SQL.Notifications.requestCheckOfNotified, parameters)
            case .refundNotified:
                try await connection.execute(SQL.Pipeline.requestCheckOfRefunded, [key, .textArray([nil])])
            }
        }
    }

    /// What a check of the night of 2 March found.
    enum Finding: CaseIterable, Sendable {
        case active, expired, nothing

        func rows(checkRequestsSeen: Int64) -> ChunkRows {
            var rows = ChunkRows()
            rows.asked = [LoadWorld.key: checkRequestsSeen]
            guard self != .nothing else {
                rows.failures = [
                    FailedCheck(
                        key: LoadWorld.key, kind: .transient, reason: "timed_out", message: "no answer", failures: 1,
                        nextCheck: NextCheck(at: LoadWorld.march + .days(3), reason: .failed))
                ]
                return rows
            }
            var snapshot = SubscriptionSnapshot(state: self == .active ? .active : .expired)
            if self == .expired { (snapshot.endedAt, snapshot.endReason) = (LoadWorld.march, .voluntary) }
            let next =
                self == .active
                ? NextCheck(at: LoadWorld.march + .days(30), reason: .beforeExpiry) : NextCheck(at: nil, reason: .never)
            rows.subscriptions = [
                SubscriptionRow(
                    key: LoadWorld.key, environment: .production, snapshot: snapshot, nextCheck: next,
                    historyCursor: nil, sourceVersion: LoadWorld.march, occurredAt: LoadWorld.march, answerHash: "h")
            ]
            return rows
        }

        var next: String {
            switch self {
            case .active: "2026-03-31 00:00|before_expiry"
            case .expired: "|never"
            case .nothing: "2026-03-04 00:00|failed"
            }
        }
    }

    private func next(_ world: LoadWorld) async throws -> [String] {
        try await world.connection.lines(
            "select case when next_check_at = '-infinity' then 'at once' "
                + "else to_char(next_check_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') end as next, next_check_reason "
                + "from subledger.subscriptions")
    }

    @Test(arguments: Waker.allCases, Finding.allCases)
    func `a check requested while the store is asked stays due for that reason`(_ waker: Waker, _ finding: Finding)
        async throws
    {
        try await LoadWorld.with { world in
            try await waker.requestCheck(world.connection)
            try await world.night(1, finding.rows(checkRequestsSeen: 0))
            #expect(try await next(world) == ["at once|\(waker.rawValue)"])
            // What it says the next time is about what was wished for.
            let requests = try await world.connection.lines("select check_requests from subledger.subscriptions")
            try await world.night(2, finding.rows(checkRequestsSeen: try #require(requests.first.flatMap(Int64.init))))
            #expect(try await next(world) == [finding.next])
        }
    }

    @Test(arguments: Finding.allCases)
    func `a check requested before the read is settled by the answer`(_ finding: Finding) async throws {
        try await LoadWorld.with { world in
            try await Waker.registered.requestCheck(world.connection)
            try await world.night(1, finding.rows(checkRequestsSeen: 1))
            #expect(try await next(world) == [finding.next])
        }
    }

    /// Its own worker, which has read it before, learns that another answer contained something new about it.
    @Test func `what is seen indirectly of a subscription that is being asked about makes it due`() async throws {
        try await LoadWorld.with { world in
            try await world.connection.script(
                """
                update subledger.subscriptions
                set state = 'expired', ended_at = '2026-02-01', end_reason = 'voluntary', last_checked_at = '2026-02-02'
                """)
            try await world.night(1, LoadWorld.period { $0.isSeenIndirectly = true })
            try await world.night(2, Finding.expired.rows(checkRequestsSeen: 0))
            #expect(try await next(world) == ["at once|registered"])
        }
    }

    @Test func `a receipt that is handed in again while it is asked about retains its placeholder`() async throws {
        try await LoadWorld.with { world in
            let register = "select subledger.record_registration('acme-receipts', 'receipt-1', receipt => 'AAAA')"
            try await world.connection.script(register)
            let found = try await world.connection.lines(
                "select subscription_key from subledger.subscriptions where store_key = 'receipt-1'")
            let key = SubscriptionKey(try #require(found.first.flatMap(Int64.init)))
            try await world.connection.script(register)
            for (night, checkRequestsSeen, expected) in [(1, 0, ["1"]), (2, 1, [])] as [(Int64, Int64, [String])] {
                var rows = ChunkRows()
                rows.asked = [key: checkRequestsSeen]
                rows.placeholders = [key]
                try await world.night(night, rows)
                let stored = "select 1 as stored from subledger.subscriptions where store_key = 'receipt-1'"
                #expect(try await world.connection.lines(stored) == expected)
            }
        }
    }
}
