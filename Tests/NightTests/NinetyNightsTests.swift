// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// The test that matters most: ninety nights in a row against two stores that keep books of their own.
///
/// After every night the tables and the issued files equal what the stores have disclosed; after an audit of everything
/// they equal what happened; a night run twice changes nothing; and a past night's report comes out again, byte for byte.
@Suite(.serialized, .longHangLimit) struct NinetyNightsTests {
    @Test func `B8: ninety nights of both stores equal their books`() async throws {
        try await Self.play(
            nights: 90, seed: 20_260_105, customersPerApp: 120,
            apps: [
                .server(id: "acme-ios", bundleID: "com.acme.app"),
                .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
                .play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .serviceAccount),
            ])
    }

    @Test func `B8: forty nights of the older interface equal its books`() async throws {
        try await Self.play(
            nights: 40, seed: 20_260_106, customersPerApp: 120,
            apps: [.play(id: "acme-old-android", packageName: "com.acme.old", api: .v1, grant: .refreshToken)])
    }

    private static func play(
        nights: Int, seed: UInt64, customersPerApp: Int, apps: [SimulatorConfiguration.App]
    ) async throws {
        // These nights are not about the pace.
        let hurried: (inout SimulatorConfiguration) -> Void = { $0.requestsPerSecond = 1_000 }
        try await NightWorld.with(
            seed: seed, customersPerApp: customersPerApp, apps: apps, adapting: hurried
        ) { world in
            for number in 1...nights {
                try await world.night(number)
                try await world.expectBooks(.disclosed, night: number)
            }
            try await expectNothingChangesTheSecondTime(world, nights)
            try await expectTheNightAgain(20, world)
            try await world.night(nights + 1, "--all")
            try await world.expectBooks(.happened, night: nights + 1)
        }
    }

    private static func expectNothingChangesTheSecondTime(_ world: NightWorld, _ night: Int) async throws {
        let before = try await world.checksums()
        try await world.night(night)
        let after = try await world.checksums()
        let differing = after.keys.filter { after[$0] != before[$0] }.sorted()
        #expect(differing == [], "a night run twice changed tables")
    }

    private static func expectTheNightAgain(_ night: Int, _ world: NightWorld) async throws {
        let again = world.directory + "/again"
        let asOf = NightWorld.instant(of: night).iso8601
        let result = try await world.subledger("report", "--as-of", asOf, "--out", again)
        #expect(result.exitCode == 0, "\(result.standardError)")
        let date = NightWorld.businessDate(of: night)
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(world.reports)/\(date)")
        #expect(files.count > 10)
        #expect(result.folder.hasPrefix("\(again)/\(date)-"))
        // An export is no link of the chain: its manifest is its own.
        for file in files where file != "manifest.json" {
            let issued = try Data(contentsOf: URL(fileURLWithPath: "\(world.reports)/\(date)/\(file)"))
            let repeated = try Data(contentsOf: URL(fileURLWithPath: "\(result.folder)/\(file)"))
            #expect(issued == repeated, "\(file) of \(date) differs")
            #expect(issued.count > 30)
        }
    }
}

extension NightWorld {
    /// Tables and issued files of a night against one column of the stores' books.
    func expectBooks(_ column: BookColumn, night: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let date = Self.businessDate(of: night)
        let books = stores.books
        try await expectTables(column, "night \(night)", sourceLocation: sourceLocation)
        let revenue = books.revenue(column, through: date)
        expectSame(
            try revenueRows(of: night, like: revenue), Set(revenue), "revenue.csv, night \(night)",
            sourceLocation: sourceLocation)
        try MetricComparison(world: self, night: night, location: sourceLocation)
            .same("churn", books.churn(column, through: date))
    }

    /// Transactions and subscriptions against one column of the stores' books.
    func expectTables(
        _ column: BookColumn, _ when: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let books = stores.books
        #expect(
            books.overlookedPurchases(since: Self.instant(of: 1).micros) == [], "forgotten before anybody asked",
            sourceLocation: sourceLocation)
        expectSame(
            try await bookedTransactions(), Set(books.transactions(column)), "transactions, \(when)",
            sourceLocation: sourceLocation)
        expectSame(
            try await bookedSubscriptions(), Set(books.subscriptions(column).map(\.inTheOrderOfATable)),
            "subscriptions, \(when)", sourceLocation: sourceLocation)
        #expect(
            try await bookedAliases() == Set(books.aliases), "later ids handed in, \(when)",
            sourceLocation: sourceLocation)
        let missing = try await missingCancellations()
        #expect(missing == [], "cancellations on their own day, \(when)", sourceLocation: sourceLocation)
    }
}

extension BookedSubscription {
    fileprivate var inTheOrderOfATable: BookedSubscription {
        var ordered = self
        ordered.items.sort { $0.productID < $1.productID }
        return ordered
    }
}
