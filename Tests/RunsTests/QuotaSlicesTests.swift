// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores
import TestSupport
import Testing

/// The pace of a quota as all processes share it: a row whose next slice of time each of them leases.
@Suite struct QuotaSlicesTests {
    /// Forty a second.
    private static let interval: UInt64 = 25_000_000
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func wanted(
        _ requests: Int, interval: UInt64 = interval, allowance: UInt64 = 0, quota: String = "a"
    ) -> WantedSlice {
        WantedSlice(quota: quota, endpoint: "statuses", interval: interval, requests: requests, allowance: allowance)
    }

    private struct World {
        let connection: PostgresConnection
        let regular: QuotaSlices
        let preferred: QuotaSlices

        func lease(_ wanted: WantedSlice, preferred isPreferred: Bool = false) async throws -> LeasedSlice {
            let slices = isPreferred ? preferred : regular
            return try #require(try await slices.lease([wanted], on: connection).first)
        }
    }

    private static func with(_ body: (World) async throws -> Void) async throws {
        try await withLedgerDatabase { connection, database in
            let sessions = DatabaseSessions(database, logger: logger)
            try await body(
                World(
                    connection: connection, regular: QuotaSlices(sessions),
                    preferred: QuotaSlices(sessions, isPreferred: true)))
            await sessions.close()
        }
    }

    @Test func `each slice begins where the last one ends`() async throws {
        try await Self.with { world in
            let first = try await world.lease(Self.wanted(400))
            #expect(first.requests == 400 && first.interval == Self.interval && first.beginsIn == 0)
            let ends = "select free_from from subledger.quota_slices"
            let end = try await world.connection.lines(ends)
            let next =
                "select free_from = '\(end.first ?? "")'::timestamptz + interval '75 ms' as is_next from subledger.quota_slices"
            #expect(try await world.lease(Self.wanted(3)).beginsIn > 0)
            #expect(try await world.connection.lines(next) == ["true"])
        }
    }

    /// Three processes that never wait; slots are one interval apart, so that no window has more of them than
    /// the rate, and each is used a burst later at most.
    @Test func `of processes that race no two have the same time, and no window has more than rate and burst`()
        async throws
    {
        let (rate, burst) = (4_000.0, 4)
        let interval: UInt64 = 250_000
        try await withLedgerDatabase { connection, database in
            let slots = try await withThrowingTaskGroup(of: [Int64].self) { group in
                for _ in 0..<3 {
                    group.addTask { try await Self.race(on: database, interval: interval, burst: UInt64(burst)) }
                }
                return try await group.reduce(into: []) { $0 += $1 }.sorted()
            }
            #expect(slots.count > 3 * 60)
            for (slot, next) in zip(slots, slots.dropFirst()) { #expect(next - slot >= 250) }
            // In microseconds, a hundredth of a second: used up to a burst of intervals later.
            let late = Int64(burst) * 250
            for first in slots.indices {
                let last = slots[first...].prefix { $0 < slots[first] + 10_000 + late }.count
                #expect(Double(last) <= rate * 0.01 + Double(burst))
            }
        }
    }

    /// Sixty slices of one to five requests, as the microseconds of their slots.
    private static func race(
        on database: PostgresConfiguration, interval: UInt64, burst: UInt64
    ) async throws -> [Int64] {
        let connection = try await PostgresConnection.connect(database, logger: logger)
        defer { Task { await connection.close() } }
        let slices = QuotaSlices(DatabaseSessions(database, logger: logger))
        let end = Statement(
            name: "end of the last slice", text: "select free_from from subledger.quota_slices where quota = 'raced'")
        var slots: [Int64] = []
        for number in 0..<60 {
            let wanted = wanted(
                number % 5 + 1, interval: interval, allowance: (burst - 1) * interval, quota: "raced")
            let (slice, ends) = try await connection.withTransaction { connection in
                let slice = try #require(try await slices.lease([wanted], on: connection).first)
                let row = try #require(try await connection.query(end).first)
                return (slice, try row.instant("free_from").micros)
            }
            #expect(slice.requests == number % 5 + 1)
            slots += (1...Int64(slice.requests)).map { ends - $0 * 250 }
        }
        return slots
    }

    @Test func `what was not leased in time is made up for within the allowance`() async throws {
        try await Self.with { world in
            #expect(try await world.lease(Self.wanted(1, allowance: 975_000_000)).beginsIn == -975_000_000)
            try await world.connection.script(
                "update subledger.quota_slices set free_from = clock_timestamp() - interval '1 h'")
            #expect(try await world.lease(Self.wanted(1)).beginsIn == 0)
        }
    }

    @Test func `an intake alone has the whole rate, and a tenth of it beside others`() async throws {
        try await Self.with { world in
            #expect(try await world.lease(Self.wanted(40), preferred: true).requests == 40)
            _ = try await world.lease(Self.wanted(400))
            let beside = try await world.lease(Self.wanted(40), preferred: true)
            // A tenth of forty, and the next after the second that ten times as many take.
            #expect(beside.requests == 4 && beside.pause == 1_000_000_000)
            try await world.connection.script(
                "update subledger.quota_slices set preferred_from = clock_timestamp() + interval '9 s'")
            let again = try await world.lease(Self.wanted(40), preferred: true)
            #expect(again.requests == 0 && again.pause > 0 && again.pause <= 9_000_000_000)
            // Another quota's.
            #expect(try await world.lease(Self.wanted(40, quota: "b"), preferred: true).requests == 40)
            try await world.connection.script(
                "update subledger.quota_slices set preferred_from = clock_timestamp()"
            )
            #expect(try await world.lease(Self.wanted(40), preferred: true).requests == 4)
            try await world.connection.script(
                "update subledger.quota_slices set regular_until = clock_timestamp() - interval '2 s'")
            #expect(try await world.lease(Self.wanted(40), preferred: true).requests == 40)
        }
    }

    /// One a second: a tenth is one in ten seconds.
    @Test func `a tenth of a low rate is one request in ten intervals`() async throws {
        try await Self.with { world in
            let second: UInt64 = 1_000_000_000
            _ = try await world.lease(Self.wanted(60, interval: second))
            let beside = try await world.lease(Self.wanted(5, interval: second), preferred: true)
            #expect(beside.requests == 1 && beside.pause == 10 * second)
            #expect(try await world.lease(Self.wanted(5, interval: second), preferred: true).requests == 0)
        }
    }

    @Test func `of two stated rates the lower applies to both, until it is stated no more`() async throws {
        try await Self.with { world in
            let slow = 2 * Self.interval
            #expect(try await world.lease(Self.wanted(2)).interval == Self.interval)
            #expect(try await world.lease(Self.wanted(2, interval: slow)).interval == slow)
            #expect(try await world.lease(Self.wanted(2)).interval == slow)
            try await world.connection.script("update subledger.quota_slices set interval_until = clock_timestamp()")
            #expect(try await world.lease(Self.wanted(2)).interval == Self.interval)
        }
    }

    @Test func `a clock that was set back by a day does not close the quota for a day`() async throws {
        try await Self.with { world in
            _ = try await world.lease(Self.wanted(1))
            try await world.connection.script(
                """
                update subledger.quota_slices set
                    free_from = free_from + interval '1 day', preferred_from = clock_timestamp() + interval '1 day',
                    regular_until = clock_timestamp()
                """)
            #expect(try await world.lease(Self.wanted(1), preferred: true).requests == 1)
            #expect(try await world.lease(Self.wanted(1)).beginsIn < 1_000_000_000)
        }
    }

    @Test func `sessions of the job lease several quotas at once, new ones among them`() async throws {
        try await withLedgerDatabase { _, database in
            let sessions = DatabaseSessions(database, logger: Self.logger)
            let slices = QuotaSlices(sessions)
            _ = try await slices.lease([Self.wanted(1)])
            let leased = try await slices.lease([Self.wanted(1, quota: "b"), Self.wanted(2)])
            #expect(Set(leased.map { "\($0.quota) \($0.requests)" }) == ["a 2", "b 1"])
            await sessions.close()
        }
    }
}
