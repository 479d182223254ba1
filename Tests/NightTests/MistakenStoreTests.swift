// SPDX-License-Identifier: Apache-2.0

import Model
import TestSupport
import Testing

@testable import StoreSimulator

/// What stores get wrong about single ids: nothing is lost by it, and no night ends with 1.
@Suite(.serialized, .hangLimit) struct MistakenStoreTests {
    @Test func `a row without its app is set aside once, and booked when it is whole`() async throws {
        try await NightWorld.with(
            seed: 71, customersPerApp: 12, apps: [.server(id: "acme-ios", bundleID: "com.acme.app")]
        ) { world in
            world.stores.setClock(NightWorld.instant(of: 60).micros)
            let now = NightWorld.instant(of: 60).micros
            // An old row in a history of several.
            let lives = world.stores.backend.customers.flatMap(\.subscriptions)
            let old = try #require(
                lives.compactMap { life in life.periods.count { $0.createdAt <= now } > 3 ? life.periods[1] : nil }
                    .first)
            world.stores.change { $0.withoutApp[old.transactionID] = NightWorld.instant(of: 62).micros }
            let letters = """
                select transaction_id, attempts, resolved_at is null from subledger.dead_letters
                where transaction_id is not null
                """
            let charges = "select count(*) from subledger.transactions where transaction_id = '\(old.transactionID)'"
            try await world.nightly(at: NightWorld.instant(of: 60), since: .distantPast, ["--no-reports"], expecting: 2)
            #expect(try await world.connection.lines(letters) == ["\(old.transactionID)|1|true"])
            #expect(try await world.connection.lines(charges) == ["0"])
            try await world.night(61, "--no-reports")
            #expect(try await world.connection.lines(letters) == ["\(old.transactionID)|2|true"])
            try await world.night(62, "--no-reports")
            #expect(try await world.connection.lines(letters) == ["\(old.transactionID)|2|false"])
            #expect(try await world.connection.lines(charges) == ["1"])
        }
    }

    @Test func `a receipt that is called malformed for ever is a dead letter on the third night`() async throws {
        try await NightWorld.with(
            seed: 72, customersPerApp: 12, apps: [.receipt(id: "acme-legacy", bundleID: "com.acme.old")]
        ) { world in
            try await world.night(1, "--no-reports")
            let followed = try await world.connection.lines(
                """
                select store_key, receipt_id from subledger.subscriptions
                where state in ('active', 'trial') and receipt_id is not null order by 1 limit 1
                """)
            let (key, receipt) = try #require(
                followed.first.map { $0.split(separator: "|").map(String.init) }.map { ($0[0], $0[1]) })
            world.stores.change { $0.malformedReceipts = [key] }
            let due = "update subledger.subscriptions set next_check_at = '-infinity' where receipt_id = \(receipt)"
            var codes: [Int32] = []
            for night in 2...5 {
                try await world.connection.script(due)
                world.stores.setClock(NightWorld.instant(of: night).micros)
                codes.append(
                    try await world.subledger("nightly", "--no-reports", "--now", NightWorld.instant(of: night).iso8601)
                        .exitCode)
            }
            #expect(codes == [0, 0, 2, 0])
            let letters = try await world.connection.lines(
                """
                select distinct reason, attempts, resolved_at is null from subledger.dead_letters
                where subscription_key in (
                    select subscription_key from subledger.subscriptions where receipt_id = \(receipt))
                """)
            #expect(letters == ["status_21002|1|true"])
        }
    }
}
