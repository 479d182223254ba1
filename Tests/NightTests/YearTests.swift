// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreCoverage
import StoreSimulator
import TestSupport
import Testing

/// A year of nights against stores whose customers live through everything the stores know.
///
/// At month ends and on twelve nights drawn by lot the tables and the issued files, every metric of them, equal what was
/// disclosed, and the files agree with each other; on every day access is what the contract makes of the last answers, for a sample of customers; after an audit of everything the
/// books equal what happened.
@Suite(.serialized, .longHangLimit) struct YearTests {
    private static let nights = 365
    private static let seed: UInt64 = 20_260_107
    /// Until then the dates of each period say how long it is; then the owner hands in how long the products' are.
    private static let catalogueNight = 200
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"),
        .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
        .play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .serviceAccount),
    ]

    @Test
    func `B8: a year of both stores, every case of theirs at least three times, equals their books`() async throws {
        try await NightWorld.with(seed: Self.seed, customersPerApp: 200, apps: Self.apps, adapting: Self.lengthen) {
            try await Self.play(in: $0)
        }
    }

    private static func lengthen(_ store: inout SimulatorConfiguration) {
        store.horizonDays = Int64(nights) + 15
        store.playHorizonDays = Int64(nights) + 15
        store.requestsPerSecond = 1_000
    }

    private static func play(in world: NightWorld) async throws {
        #expect(world.stores.rareCases(below: 3, until: NightWorld.instant(of: nights).micros) == [])
        let compared = comparedNights
        for number in 1...nights {
            if number == catalogueNight { try await world.importProducts(before: number) }
            try await world.night(number, compared.contains(number) ? "--quiet" : "--no-reports")
            try await world.expectAccess(ofOneIn: 7, night: number)
            guard compared.contains(number) else { continue }
            try await world.expectBooks(.disclosed, night: number)
            try world.expectMetrics(.disclosed, night: number, lengths: number < catalogueNight ? .dates : .catalogue)
            try await AgreeingFiles(world: world, night: number, location: #_sourceLocation).expect()
            try await world.expectEligibility(.disclosed, night: number)
        }
        try await world.night(nights + 1, "--all")
        try await world.expectBooks(.happened, night: nights + 1)
        try world.expectMetrics(.happened, night: nights + 1, lengths: .catalogue)
        try await AgreeingFiles(world: world, night: nights + 1, location: #_sourceLocation).expect()
        try await world.expectEligibility(.happened, night: nights + 1)
        try await expectDerivedRefunds(world)
        expectRareColumns(world.stores.books)
    }

    /// What hardly any row has: had none of them had it, nothing would have been compared.
    private static func expectRareColumns(_ books: Books) {
        let rows = books.transactions(.happened)
        #expect(rows.count { $0.seats != nil } > 5 && rows.count { $0.storeDiscountMicros != nil } > 5)
        #expect(rows.count { $0.refundReason == .chargeback } >= 3)
    }

    /// What went back as a share of a price is said to be worked out.
    private static func expectDerivedRefunds(_ world: NightWorld) async throws {
        let derived = try await world.connection.lines(
            "select transaction_id from subledger.transactions where refund_source = 'derived'")
        let expected = world.stores.books.derivedRefunds(.happened)
        #expect(expected.count > 5 && expected.isSubset(of: Set(derived)), "\(expected.subtracting(derived).prefix(3))")
    }

    /// Those after the last day of a month, and twelve drawn by lot.
    private static var comparedNights: Set<Int> {
        let monthEnds = (1...nights).filter {
            NightWorld.businessDate(of: $0).prefix(7) != NightWorld.businessDate(of: $0 + 1).prefix(7)
        }
        var lot = SeededGenerator(seed: seed)
        return Set(monthEnds + (1...nights).shuffled(using: &lot).prefix(12))
    }
}
