// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import Testing
import TestSupport

/// A night goes on after its own clock: a state is stored with the earliest instant at which the store can have reported it.
@Suite struct ReportedAtTests {
    /// The first night's own clock.
    private static let now = LoadWorld.march + .days(1)

    private static func reported(_ world: LoadWorld) async throws -> [String] {
        try await world.connection.lines(
            "select state, to_char(reported_at, 'MM-DD HH24:MI') as told from subledger.state_changes order by change_id"
        )
    }

    private static func subscription(_ state: SubscriptionState, expires: Instant) -> SubscriptionRow {
        SubscriptionRow(
            key: LoadWorld.key, environment: .production,
            snapshot: SubscriptionSnapshot(
                state: state, productID: "monthly", expiresAt: expires, endedAt: state == .expired ? expires : nil,
                endReason: state == .expired ? .voluntary : nil),
            nextCheck: NextCheck(at: expires, reason: .nightly), historyCursor: nil, sourceVersion: now,
            occurredAt: now, answerHash: "h")
    }

    /// Charged three hours after the night began.
    private static func chargedLate() -> ChunkRows {
        var rows = LoadWorld.period { ($0.facts.purchasedAt, $0.facts.start) = (now + .hours(3), now + .hours(3)) }
        rows.subscriptions = [subscription(.active, expires: LoadWorld.march + .days(31))]
        return rows
    }

    @Test func `what came with a charge was reported after it`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.chargedLate())
            #expect(try await Self.reported(world) == ["active|03-02 03:00"])
        }
    }

    @Test(arguments: [SubscriptionState.grace, .billingRetry, .paused, .expired])
    func `what is said to have ended or await payment was reported after the end`(state: SubscriptionState) async throws
    {
        try await LoadWorld.with { world in
            var rows = LoadWorld.period()
            rows.subscriptions = [Self.subscription(state, expires: Self.now + .hours(10))]
            try await world.night(1, rows)
            #expect(try await Self.reported(world) == ["\(state.rawValue)|03-02 10:00"])
        }
    }

    @Test func `what goes on was reported at the night's own time`() async throws {
        try await LoadWorld.with { world in
            var rows = LoadWorld.period()
            rows.subscriptions = [Self.subscription(.active, expires: Self.now + .hours(10))]
            try await world.night(1, rows)
            #expect(try await Self.reported(world) == ["active|03-02 00:00"])
        }
    }

    /// The charge of 4 March is known when the check of the night of 3 March fails.
    @Test func `what follows from a failed check was reported after the newest charge`() async throws {
        try await LoadWorld.with { world in
            var rows = Self.chargedLate()
            rows.transactions = LoadWorld.period { $0.facts.purchasedAt = LoadWorld.march + .days(3) }.transactions
            try await world.night(1, rows)
            var failed = ChunkRows()
            failed.failures = [
                FailedCheck(
                    key: LoadWorld.key, kind: .notFound, reason: "not_found", message: "nobody knows it", failures: 3,
                    nextCheck: NextCheck(at: nil, reason: .unreachable), newState: .unreachable)
            ]
            try await world.night(2, failed)
            #expect(try await Self.reported(world) == ["active|03-04 00:00", "unreachable|03-04 00:00"])
        }
    }
}
