// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import TestSupport
import Testing

@testable import StoreSimulator

/// Stores that call the product of one transaction by twelve thousand letters, which no index of the database takes: it is set aside, and
/// everybody else is booked as if nothing had been.
@Suite(.serialized, .hangLimit) struct LongProductTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
        .play(id: "acme-android", packageName: "com.acme.app"),
    ]
    /// Until the third night.
    private static let mended = NightWorld.instant(of: 3).micros

    @Test(arguments: ["acme-ios", "acme-legacy", "acme-android"])
    func `one product of 12 kB is one dead letter, and is booked when the store has mended it`(
        app: String
    ) async throws {
        var (undisturbed, afterwards): ([String], [String]) = ([], [])
        var chosen = Chosen(key: "", account: "", transaction: "")
        try await Self.with { world in
            try await world.night(1, "--no-reports")
            chosen = try await Chosen(of: app, in: world)
            undisturbed = try await world.connection.lines(Self.books(without: chosen.account))
            for night in 2...3 { try await world.night(night, "--no-reports") }
            afterwards = try await world.connection.lines(Self.books())
        }
        #expect(undisturbed.count > 40)
        try await Self.with { world in
            chosen.spoil(in: world.stores, until: Self.mended)
            // A new dead letter: 2, once.
            try await world.night(1, "--no-reports", expecting: 2)
            let letter = "\(app)|id_too_long|\(chosen.transaction)"
            #expect(try await world.connection.lines(Self.letters) == [letter + "|true"])
            #expect(try await world.connection.lines(Self.books(without: chosen.account)) == undisturbed)
            #expect(try await world.connection.lines(Self.booked(chosen.transaction)) == ["0"])
            let stopped = "select app_id from subledger.run_apps where state <> 'done'"
            #expect(try await world.connection.lines(stopped) == [])
            try await world.night(2, "--no-reports")
            #expect(try await world.connection.lines(Self.letters) == [letter + "|true"])
            try await world.night(3, "--no-reports")
            #expect(try await world.connection.lines(Self.letters) == [letter + "|false"])
            #expect(try await world.connection.lines(Self.booked(chosen.transaction)) == ["1"])
            #expect(try await world.connection.lines(Self.books()) == afterwards)
        }
    }

    private static func with(_ body: (NightWorld) async throws -> Void) async throws {
        try await NightWorld.with(
            seed: 73, customersPerApp: 12, apps: apps, adapting: { $0.requestsPerSecond = 1_000 }, body)
    }

    private static let letters = """
        select app_id, reason, transaction_id, resolved_at is null as is_open from subledger.dead_letters order by 1
        """

    private static func booked(_ transaction: String) -> String {
        "select count(*) from subledger.transactions where transaction_id = '\(transaction)'"
    }

    /// All that is booked, or what is booked of all customers but one.
    private static func books(without account: String? = nil) -> String {
        """
        select booked.app_id, transaction_id, booked.product_id, kind, purchased_at, period_end, price_micros, currency
        from subledger.transactions booked
        left join subledger.subscriptions owner using (subscription_key)
        where \(account.map { "owner.account_id is distinct from '\($0)'" } ?? "true")
        order by 1, 2, 3
        """
    }

    /// A subscription that runs on through the three nights, and its only transaction.
    private struct Chosen {
        let key: String
        let account: String
        let transaction: String

        init(key: String, account: String, transaction: String) {
            (self.key, self.account, self.transaction) = (key, account, transaction)
        }

        init(of app: String, in world: NightWorld) async throws {
            let found = try await world.connection.lines(
                """
                select store_key, account_id, min(transaction_id) as transaction_id
                from subledger.subscriptions join subledger.transactions using (subscription_key)
                where subscriptions.app_id = '\(app)' and state = 'active'
                    and expires_at > '\(NightWorld.instant(of: 5).iso8601)'
                group by store_key, account_id having count(*) = 1 and min(kind) = 'purchase'
                order by store_key limit 1
                """)
            guard let parts = found.first?.split(separator: "|").map(String.init), parts.count == 3 else {
                throw NightError("nobody of \(app) has one transaction")
            }
            self.init(key: parts[0], account: parts[1], transaction: parts[2])
        }

        func spoil(in stores: SimulatedStores, until instant: Int64) {
            let (key, transaction) = (key, transaction)
            stores.change { $0.withLongProduct[transaction] = instant }
            stores.backend.play.change { $0.withLongProduct[key] = instant }
        }
    }
}
