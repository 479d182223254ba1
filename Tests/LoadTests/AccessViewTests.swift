// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import SQLCatalog
import Testing
import TestSupport

/// The entitlement rule is SQL; the tests' own reckoning of it must say the same.
@Suite struct AccessViewTests {
    @Test func `every state and clock gives the same access in Swift and in SQL`() async throws {
        try await LoadWorld.with { world in
            let now = LoadWorld.march
            var compared = 0
            for snapshot in Self.snapshots(around: now) {
                try await Self.store(snapshot, in: world.connection)
                let swift = Access(of: snapshot, policy: AccessPolicy(), at: now)
                let row = try #require(
                    try await world.connection.query(
                        Statement(
                            name: "access",
                            text: """
                                select access.access_until as until, access.reason,
                                    subledger.has_access(subscription_key, $1) as granted
                                from subledger.subscriptions
                                cross join lateral subledger.access_at(subscription_key, $1) access
                                """), [PostgresValue(now)]
                    ).first)
                let sql = try (row.optionalInstant("until"), row.string("reason"), row.bool("granted"))
                #expect(sql.0 == swift.until, "\(snapshot)")
                #expect(sql.1 == swift.reason.rawValue, "\(snapshot)")
                #expect(sql.2 == swift.isGranted(at: now), "\(snapshot)")
                compared += 1
            }
            #expect(compared == 10 * 5 * 5 * 4)
        }
    }

    /// Expired on the 3rd of March at midnight, not asked since; a day of buffer, three of the limit.
    ///
    /// A night that asked the app ended on the 4th, another was stopped.
    @Test(arguments: [("done", "true|false"), ("stopped", "true|true"), ("", "true|true")])
    func `where no check was made, access lasts to the limit as long as no night of the app ended`(
        state: String, granted: String
    ) async throws {
        try await LoadWorld.with { world in
            let expiry = LoadWorld.march + .days(2)
            try await Self.store(
                SubscriptionSnapshot(state: .active, expiresAt: expiry, lastCheckedAt: LoadWorld.march),
                in: world.connection)
            if !state.isEmpty {
                try await world.open(3, at: LoadWorld.march + .days(3))
                try await world.connection.script(
                    """
                    insert into subledger.run_apps (run_id, app_id, state, reason, closed_at)
                    values (3, 'acme-ios', '\(state)', 'no answer', now());
                    update subledger.runs set outcome = 'done', finished_at = now(), sealed_at = now(), seal = 1
                    where run_id = 3
                    """)
            }
            func answers(_ hours: [Int64]) async throws -> String {
                var answers: [String] = []
                for hour in hours {
                    answers += try await world.connection.lines(
                        "select subledger.has_access(subscription_key, $1) as granted from subledger.subscriptions",
                        [PostgresValue(expiry + .hours(hour))])
                }
                return answers.joined(separator: "|")
            }
            #expect(try await answers([23, 30]) == granted)
            #expect(try await answers([72, 80]) == "false|false")
        }
    }

    /// Answered on the 1st of March, expired on the 3rd; of a grace, up to the 17th; the third night that did not know it made it
    /// unreachable on the 9th.
    @Test(arguments: [
        ("active", LoadWorld.march + .days(5)), ("grace", LoadWorld.march + .days(19)),
        ("expired", LoadWorld.march + .days(1)),
    ])
    func `what is unreachable gives access as it was stated last, for a failed check is no end`(
        stated: String, until: Instant
    ) async throws {
        try await LoadWorld.with { world in
            let march = LoadWorld.march
            try await Self.store(
                SubscriptionSnapshot(
                    state: .unreachable, expiresAt: march + .days(2),
                    graceExpiresAt: stated == "grace" ? march + .days(16) : nil,
                    endedAt: stated == "expired" ? march + .days(1) : nil, lastCheckedAt: march,
                    lastFailedAt: march + .days(8), failures: 3), in: world.connection)
            try await world.open(1, at: march)
            try await world.connection.script(
                """
                insert into subledger.state_changes (
                    subscription_key, change_id, occurred_at, recorded_at, run_id, state, end_reason)
                values
                    (\(LoadWorld.key), 1, now(), now(), 1, '\(stated)', case '\(stated)' when 'expired' then 'voluntary' end),
                    (\(LoadWorld.key), 2, now(), now(), 1, 'unreachable', null)
                """)
            let row = try #require(
                try await world.connection.query(
                    Statement(name: "access", text: "select access_until from subledger.subscription_access"), []
                ).first)
            #expect(try row.optionalInstant("access_until") == until)
        }
    }

    /// It expired on 3 March at midnight; the store has not answered since 1 March.
    @Test(arguments: [2, 3])
    func `a failed check before the expiry grants a day after it, one since then three`(night: Int64) async throws {
        try await LoadWorld.with { world in
            let expiry = LoadWorld.march + .days(2)
            try await Self.store(
                SubscriptionSnapshot(state: .active, expiresAt: expiry, lastCheckedAt: LoadWorld.march),
                in: world.connection)
            var rows = ChunkRows()
            rows.failures = [
                FailedCheck(
                    key: LoadWorld.key, kind: .transient, reason: "timed_out", message: "no answer", failures: 1,
                    nextCheck: NextCheck(at: LoadWorld.march + .days(night + 1), reason: .failed))
            ]
            // At midnight of 2 March, and at midnight of 3 March, the expiry itself.
            try await world.night(night - 1, rows)
            let until = "select access_until = $1 as is_so from subledger.entitlements"
            let expected = expiry + .days(night == 2 ? 1 : 3)
            #expect(try await world.connection.lines(until, [PostgresValue(expected)]) == ["true"])
        }
    }

    /// Every state with its dates before, at and after now.
    private static func snapshots(around now: Instant) -> [SubscriptionSnapshot] {
        let hours: [Int64] = [-120, -30, -2, 0, 2]
        var snapshots: [SubscriptionSnapshot] = []
        for state in SubscriptionState.allCases {
            for expiry in hours {
                for checked in hours {
                    let failed: [Int64?] = [nil, expiry - 1, expiry, expiry + 1]
                    snapshots += failed.map { snapshot(state, around: now, expiry, checked: checked, failed: $0) }
                }
            }
        }
        return snapshots
    }

    private static func snapshot(
        _ state: SubscriptionState, around now: Instant, _ expiry: Int64, checked: Int64, failed: Int64?
    ) -> SubscriptionSnapshot {
        SubscriptionSnapshot(
            state: state, expiresAt: now + .hours(expiry), graceExpiresAt: now + .hours(expiry + 24),
            endedAt: state.isEnded ? now + .hours(expiry - 1) : nil,
            endReason: state == .expired ? .voluntary : state == .revoked ? .refund : nil,
            lastCheckedAt: now + .hours(checked), lastFailedAt: failed.map { now + .hours($0) },
            failures: failed == nil ? 0 : 2)
    }

    private static func store(_ it: SubscriptionSnapshot, in connection: PostgresConnection) async throws {
        try await connection.execute(
            Statement(
                name: "one snapshot",
                text: """
                    update subledger.subscriptions set state = $1, expires_at = $2, grace_expires_at = $3,
                        ended_at = $4, end_reason = $5, last_checked_at = $6, failures = $7, last_failed_at = $8
                    """),
            [
                PostgresValue(it.state), PostgresValue(it.expiresAt), PostgresValue(it.graceExpiresAt),
                PostgresValue(it.endedAt), PostgresValue(it.endReason), PostgresValue(it.lastCheckedAt),
                PostgresValue(it.failures), PostgresValue(it.lastFailedAt),
            ])
    }
}
