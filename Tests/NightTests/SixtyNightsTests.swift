// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// The test that matters most: sixty nights in a row against a store that keeps books of its own.
///
/// After every night the tables and the issued files equal what the store has revealed; after an audit of everything
/// they equal what happened; a night run twice changes nothing; and a past night's report comes out again, byte for byte.
@Suite(.serialized, .timeLimit(.minutes(15))) struct SixtyNightsTests {
    private static let nights = 60

    @Test func sixtyNightsEqualTheStoresBooks() async throws {
        try await NightWorld.with(
            seed: 20_260_105, customersPerApp: 500,
            apps: [
                .server(id: "acme-ios", bundleID: "com.acme.app"),
                .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
            ]
        ) { world in
            for number in 1...Self.nights {
                try await world.night(number)
                try await Self.expectRevealed(world, number)
            }
            try await Self.expectNothingChangesTheSecondTime(world)
            try await Self.expectTheTwentiethNightAgain(world)
            try await Self.expectHappenedAfterAnAudit(world)
        }
    }

    /// Tables every night; the files of the night as issued.
    private static func expectRevealed(_ world: NightWorld, _ number: Int) async throws {
        let date = NightWorld.businessDate(of: number)
        let books = world.stores.books
        expectSame(
            try await world.bookedTransactions(), Set(books.transactions(.revealed)), "transactions, night \(number)")
        expectSame(
            try await world.bookedSubscriptions(), Set(books.subscriptions(.revealed)), "subscriptions, night \(number)"
        )
        expectSame(
            try world.revenueRows(of: number), Set(books.revenue(.revealed, through: date)),
            "revenue.csv, night \(number)")
        expectSame(
            try world.churnRows(of: number), Set(books.churn(.revealed, through: date)), "churn.csv, night \(number)")
    }

    private static func expectNothingChangesTheSecondTime(_ world: NightWorld) async throws {
        let before = try await world.checksums()
        try await world.night(nights)
        #expect(try await world.checksums() == before)
    }

    private static func expectTheTwentiethNightAgain(_ world: NightWorld) async throws {
        let again = world.directory + "/again"
        let asOf = NightWorld.instant(of: 20).iso8601
        let result = try await world.subledger("report", "--as-of", asOf, "--out", again)
        #expect(result.exitCode == 0, "\(result.standardError)")
        let date = NightWorld.businessDate(of: 20)
        for file in ["revenue.csv", "churn.csv", "manifest.json"] {
            let issued = try Data(contentsOf: URL(fileURLWithPath: "\(world.reports)/\(date)/\(file)"))
            let repeated = try Data(contentsOf: URL(fileURLWithPath: "\(again)/\(date)/\(file)"))
            #expect(issued == repeated, "\(file) of \(date) differs")
            #expect(issued.count > 100)
        }
    }

    private static func expectHappenedAfterAnAudit(_ world: NightWorld) async throws {
        let number = nights + 1
        try await world.night(number, "--all")
        let date = NightWorld.businessDate(of: number)
        let books = world.stores.books
        expectSame(
            try await world.bookedTransactions(), Set(books.transactions(.happened)), "transactions that happened")
        expectSame(
            try await world.bookedSubscriptions(), Set(books.subscriptions(.happened)), "subscriptions as they are")
        expectSame(
            try world.revenueRows(of: number), Set(books.revenue(.happened, through: date)),
            "revenue.csv of what happened")
        expectSame(
            try world.churnRows(of: number), Set(books.churn(.happened, through: date)), "churn.csv of what happened")
    }
}
