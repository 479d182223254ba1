// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import SQLCatalog
import Testing
import TestSupport

/// The entitlement rule stands twice, as a pure function and as the view's SQL: both must say the same.
@Suite struct AccessViewTests {
    @Test func everyStateAndClockGivesTheSameAccessInSwiftAndInSQL() async throws {
        try await LoadWorld.with { world in
            let now = LoadWorld.march
            var compared = 0
            for snapshot in Self.snapshots(around: now) {
                try await Self.store(snapshot, in: world.connection)
                let swift = Access(of: snapshot, policy: Access.Policy(), at: now)
                let row = try #require(
                    try await world.connection.query(
                        Statement(
                            name: "access",
                            text: """
                                select subledger.access_until(s, grace_buffer, unread_limit) as until,
                                    subledger.access_reason(s, $1) as reason,
                                    subledger.has_access(s.subscription_key, $1) as granted
                                from subledger.subscriptions s cross join subledger.settings
                                """), [PostgresValue(now)]
                    ).first)
                let sql = try (row.optionalInstant("until"), row.string("reason"), row.bool("granted"))
                #expect(sql.0 == swift.until, "\(snapshot)")
                #expect(sql.1 == swift.reason.rawValue, "\(snapshot)")
                #expect(sql.2 == swift.isGranted(at: now), "\(snapshot)")
                compared += 1
            }
            #expect(compared > 200)
        }
    }

    /// Every state with its dates before, at and after now.
    private static func snapshots(around now: Instant) -> [SubscriptionSnapshot] {
        let offsets: [Span] = [.days(-5), .hours(-30), .hours(-2), .zero, .hours(2)]
        return SubscriptionState.allCases.flatMap { state in
            offsets.flatMap { expiry in
                offsets.flatMap { checked in
                    [0, 2].map { failures in
                        SubscriptionSnapshot(
                            state: state, expiresAt: now + expiry, graceExpiresAt: now + expiry + .days(1),
                            endedAt: state.isEnded ? now + expiry - .hours(1) : nil,
                            endReason: state == .expired ? .voluntary : state == .revoked ? .refund : nil,
                            lastCheckedAt: now + checked, failures: failures)
                    }
                }
            }
        }
    }

    private static func store(_ it: SubscriptionSnapshot, in connection: PostgresConnection) async throws {
        try await connection.execute(
            Statement(
                name: "one snapshot",
                text: """
                    update subledger.subscriptions set state = $1, expires_at = $2, grace_expires_at = $3,
                        ended_at = $4, end_reason = $5, last_checked_at = $6, failures = $7
                    """),
            [
                PostgresValue(it.state), PostgresValue(it.expiresAt), PostgresValue(it.graceExpiresAt),
                PostgresValue(it.endedAt), PostgresValue(it.endReason), PostgresValue(it.lastCheckedAt),
                PostgresValue(it.failures),
            ])
    }
}
