// SPDX-License-Identifier: Apache-2.0

import Model
import Runs
import Stores
import TestSupport
import Testing

/// A row of an answer that cannot be taken is not lost: it is one dead letter and one exit 2, looked for again with its history
/// from the beginning, and the letter closes when it is booked.
@Suite struct RowsSetAsideTests {
    @Test func `a row that is whole the next night is booked, and its dead letter closes`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            let store = ScriptedStore { due, number in
                guard number > 1 else { return .success(.months([1, 3], setAside: ["T2"])) }
                // What stands before the cursor is read again.
                return .success(due.historyReach == .fromBeginning ? .months([1, 2, 3]) : .months([3]))
            }
            #expect(try await world.night(1, asking: store) == .partial)
            #expect(try await world.letters() == ["T2|missing_bundle|1|true"])
            #expect(try await world.nextCheck(of: "1001") == "1.7500000000000000|set_aside|active")
            #expect(try await world.night(2, asking: store) == .done)
            #expect(try await world.letters() == ["T2|missing_bundle|1|false"])
            #expect(try await world.booked() == ["T1|charge|9990000", "T2|charge|9990000", "T3|charge|9990000"])
            #expect(try await world.nextCheck(of: "1001") == "119.0000000000000000|before_expiry|active")
        }
    }

    /// Three nights, then once a week for sixty days, then only when its subscription is asked anyway.
    @Test func `a row that stays spoilt is one dead letter, which no other good answer closes`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            let store = ScriptedStore { due, number in
                let isRead = number == 1 || due.historyReach == .fromBeginning
                return .success(isRead ? .months([1, 3], setAside: ["T2"]) : .months([3]))
            }
            var ended: [Int64: String] = [:]
            for day in Int64(1)...70 {
                let before = store.questions["1001"] ?? 0
                let outcome = try await world.night(day, asking: store)
                if store.questions["1001"] ?? 0 > before { ended[day] = outcome.rawValue }
            }
            let asked: [Int64] = [1, 2, 3, 10, 17, 24, 31, 38, 45, 52, 59]
            #expect(ended.keys.sorted() == asked)
            #expect(ended.filter { $0.value != "done" } == [1: "partial"])
            #expect(try await world.letters() == ["T2|missing_bundle|11|true"])
            try await world.night(119, asking: store)
            #expect(store.questions["1001"] == 12)
            #expect(try await world.letters() == ["T2|missing_bundle|12|true"])
        }
    }

    @Test func `two spoilt rows in billing retry are two dead letters and one exit 2, however many nights`()
        async throws
    {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            let store = ScriptedStore { _, _ in
                .success(.months([1], state: .billingRetry, expires: 0, setAside: ["T2", "T3"]))
            }
            var outcomes: [String] = []
            for day in Int64(1)...4 { outcomes.append(try await world.night(day, asking: store).rawValue) }
            #expect(outcomes == ["partial", "done", "done", "done"])
            #expect(try await world.letters() == ["T2|missing_bundle|4|true", "T3|missing_bundle|4|true"])
        }
    }

    @Test func `a row without an id is done with once the history was read whole and has no such row`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            let store = ScriptedStore { _, number in
                .success(number == 1 ? .months([1], setAside: [SetAside.unidentified]) : .months([1]))
            }
            #expect(try await world.night(1, asking: store) == .partial)
            try await world.night(2, asking: store)
            #expect(try await world.letters() == ["unidentified|missing_bundle|1|false"])
        }
    }

    @Test func `a row that the store leaves out when it is looked for is looked for again`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            let store = ScriptedStore { _, number in
                .success(number == 1 ? .months([1], setAside: ["T2"]) : .months([1]))
            }
            for day in Int64(1)...3 { try await world.night(day, asking: store) }
            #expect(try await world.letters() == ["T2|missing_bundle|3|true"])
            #expect(try await world.nextCheck(of: "1001") == "10.0000000000000000|set_aside|active")
        }
    }

    /// The other one is not asked before its expiry otherwise.
    @Test func `a row of another subscription in the answer makes that one due on the next night`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001", "1002"])
            let store = ScriptedStore { due, number in
                let isFirst = due.storeKey.reveal() == "1001"
                guard isFirst, number == 2 else { return .success(.months([1], of: due.storeKey.reveal())) }
                var reading = Reading.months([1], setAside: ["T9"], under: "1002")
                let others = Reading.months([1], of: "1002").observations[0].periods
                reading.observations.append(
                    Observation(
                        storeKey: Secret("1002"), environment: .production, status: nil, periods: others))
                return .success(reading)
            }
            try await world.night(1, asking: store)
            try await world.connection.script(
                "update subledger.subscriptions set next_check_at = '2026-03-03' where store_key = '1001'")
            #expect(try await world.night(2, asking: store) == .partial)
            #expect(try await world.nextCheck(of: "1002") == "2.7500000000000000|set_aside|active")
        }
    }
}

extension ChunkWorld {
    fileprivate func booked() async throws -> [String] {
        try await connection.lines(
            "select transaction_id, kind, amount_micros from subledger.ledger_entries order by transaction_id, seq")
    }
}

extension Reading {
    /// Months of 9.99 USD, numbered, of a subscription that ends 120 days after 1 March; and rows that were refused.
    fileprivate static func months(
        _ months: [Int64], of storeKey: String = "1001", state: SubscriptionState = .active, expires: Int64 = 120,
        setAside: [String] = [], under owner: String? = nil
    ) -> Reading {
        let start = ChunkWorld.march - .days(90)
        let periods = months.map { month in
            ObservedPeriod(
                PeriodFacts(
                    transactionID: storeKey == "1001" ? "T\(month)" : "\(storeKey)T\(month)",
                    periodKey: "\(storeKey)P\(month)", productID: "monthly", purchasedAt: start + .days(30 * month),
                    start: start + .days(30 * month), end: start + .days(30 * month + 30), priceMicros: 9_990_000,
                    currency: "USD"),
                SaleFacts(
                    originalTransactionID: storeKey, priceSource: .storePrice, sourceVersion: ChunkWorld.march))
        }
        let status = ObservedStatus(
            state: state, productID: "monthly", autoRenew: true, expiresAt: ChunkWorld.march + .days(expires),
            sourceVersion: ChunkWorld.march)
        return Reading(
            observations: [
                Observation(storeKey: Secret(storeKey), environment: .production, status: status, periods: periods)
            ],
            archive: [],
            setAside: setAside.map {
                RefusedRow(
                    storeKey: owner.map(Secret.init), reason: "missing_bundle", detail: "The row names no app.",
                    transactionID: $0)
            })
    }
}
