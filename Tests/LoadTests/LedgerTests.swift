// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import TestSupport
import Testing

/// The money of a row, night by night; every amount is worked out on paper from a price of 9.99 USD.
@Suite struct LedgerTests {
    @Test func `a purchase is one charge at its purchase instant`() async throws {
        try await LoadWorld.with { world in
            let changed = try await world.night(1, LoadWorld.period())
            #expect(changed == 1)
            #expect(try await world.ledger() == ["1|charge|9990000|USD|03-01 00:00|1|"])
        }
    }

    @Test func `the same answer signed later changes nothing`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, LoadWorld.period(signed: 0))
            #expect(try await world.night(2, LoadWorld.period(signed: 1)) == 0)
            #expect(try await world.ledger().count == 1)
            #expect(try await world.connection.lines("select version from subledger.transaction_versions") == ["1"])
        }
    }

    @Test func `an older answer never overwrites a newer one`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, LoadWorld.period(signed: 5))
            #expect(try await world.night(2, LoadWorld.period(signed: 4) { $0.facts.priceMicros = 1 }) == 0)
            #expect(try await world.connection.lines("select price_micros from subledger.transactions") == ["9990000"])
        }
    }

    @Test func `a price that becomes known is one charge, recorded by the run that learned it`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, LoadWorld.period { $0.forgetPrice() })
            #expect(try await world.ledger().isEmpty)
            try await world.night(2, LoadWorld.period(signed: 1))
            #expect(try await world.ledger() == ["1|charge|9990000|USD|03-01 00:00|2|"])
        }
    }

    @Test func `a changed price is a correction pair at the purchase instant`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, LoadWorld.period())
            try await world.night(2, LoadWorld.period(signed: 1) { $0.facts.priceMicros = 8_990_000 })
            #expect(
                try await world.ledger() == [
                    "1|charge|9990000|USD|03-01 00:00|1|",
                    "2|correction|-9990000|USD|03-01 00:00|2|1",
                    "3|correction|8990000|USD|03-01 00:00|2|1",
                ])
        }
    }

    @Test func `B6: a refund is dated by the store, and a vanished one is booked back`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, LoadWorld.period())
            try await world.night(2, LoadWorld.period(signed: 9) { $0.refund(9_990_000, onDay: 8) })
            try await world.night(3, LoadWorld.period(signed: 12))
            #expect(
                try await world.ledger() == [
                    "1|charge|9990000|USD|03-01 00:00|1|",
                    "2|refund|-9990000|USD|03-09 00:00|2|",
                    "3|refund_reversal|9990000|USD|03-13 00:00|3|",
                ])
        }
    }

    @Test func `a larger refund adds the difference, and a smaller one takes it back`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, LoadWorld.period { $0.refund(3_996_000, onDay: 8) })
            try await world.night(2, LoadWorld.period(signed: 9) { $0.refund(5_000_000, onDay: 8) })
            try await world.night(3, LoadWorld.period(signed: 10) { $0.refund(4_000_000, onDay: 8) })
            #expect(
                try await world.ledger() == [
                    "1|charge|9990000|USD|03-01 00:00|1|",
                    "2|refund|-3996000|USD|03-09 00:00|1|",
                    "3|refund|-1004000|USD|03-09 00:00|2|",
                    "4|refund_reversal|1000000|USD|03-11 00:00|3|",
                ])
        }
    }

    @Test func `a refund whose instant moved is reversed where it was and booked again`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, LoadWorld.period { $0.refund(9_990_000, onDay: 8) })
            try await world.night(2, LoadWorld.period(signed: 9) { $0.refund(9_990_000, onDay: 10) })
            #expect(
                try await world.ledger() == [
                    "1|charge|9990000|USD|03-01 00:00|1|",
                    "2|refund|-9990000|USD|03-09 00:00|1|",
                    "3|refund_reversal|9990000|USD|03-09 00:00|2|",
                    "4|refund|-9990000|USD|03-11 00:00|2|",
                ])
        }
    }

    /// What keeps a row out of revenue.
    enum Exclusion: CaseIterable {
        case sandbox, familyShared, trial, zeroPrice, unknownPrice

        func apply(to row: inout CanonicalTransaction) {
            switch self {
            case .sandbox: row.environment = .sandbox
            case .familyShared: row.sale.ownership = .familyShared
            case .trial: row.kind = .trial
            case .zeroPrice: row.facts.priceMicros = 0
            case .unknownPrice: row.forgetPrice()
            }
        }
    }

    @Test(arguments: Exclusion.allCases)
    func `what is not revenue has no entry`(_ exclusion: Exclusion) async throws {
        try await LoadWorld.with { world in
            let changed = try await world.night(1, LoadWorld.period { exclusion.apply(to: &$0) })
            #expect(changed == 1)
            #expect(try await world.ledger().isEmpty)
        }
    }
}

extension CanonicalTransaction {
    mutating func forgetPrice() {
        facts.priceMicros = nil
        facts.currency = nil
        sale.priceSource = .missing
    }

    mutating func refund(_ micros: Int64, onDay day: Int64) {
        self.refund.refundedAt = LoadWorld.march + .days(day)
        self.refund.refundKind = .full
        self.refund.refundMicros = micros
    }
}
