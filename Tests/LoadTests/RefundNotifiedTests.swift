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

    private static func refund(_ world: LoadWorld, reportedAt: Instant?) async throws {
        let key = PostgresValue.intArray([LoadWorld.key.rawValue])
        let parameters: [PostgresValue] = [
            PostgresValue(LoadWorld.app), key, key, .textArray([reportedAt.map { String($0.micros) }]),
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
