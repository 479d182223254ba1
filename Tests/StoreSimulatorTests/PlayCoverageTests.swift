// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreCoverage
@testable import StoreSimulator

/// What a year of a small population holds, counted from the lives themselves.
@Suite struct PlayCoverageTests {
    private static let app = SimulatedApp.play(id: "acme-android", packageName: "com.acme.app")
    private static let firstNight = instant("2026-01-05T02:15:00Z")

    private static func coverage(
        nights: Int64, customers: Int, seed: UInt64, without: Set<PlayStep> = []
    ) -> ([String: Int], [PlayCustomer]) {
        let end = firstNight + nights * CivilTime.day
        let lives = PlayPopulation.lives(
            seed: seed, customersPerApp: customers, apps: [app],
            span: LifeSpan(firstNight: firstNight, horizon: end), without: without)
        return (PlayCoverage.count(lives, until: end), lives)
    }

    @Test func `B7: every case of Google Play occurs three times among two hundred customers in 365 nights`() {
        let (counts, _) = Self.coverage(nights: 365, customers: 200, seed: 1)
        #expect(counts.filter { $0.value < 3 }.isEmpty && counts.count == PlayCoverage.all.count, "\(counts)")
    }

    @Test func `B7: what a test does not want never happens, and all else still does`() {
        let unwanted: Set<PlayStep> = [
            .timeProration, .planShortened, .addOnBought, .pauseThenHold, .forgotten, .oneTimeSale,
        ]
        let (counts, lives) = Self.coverage(nights: 365, customers: 200, seed: 1, without: unwanted)
        #expect(Set(lives.flatMap(\.steps)).isDisjoint(with: unwanted))
        let none = ["withTimeProration", "addOnBought", "pausedThenHold", "soldOnce"]
        #expect(none.allSatisfy { counts[$0] == 0 })
        #expect(counts["withoutProration", default: 0] >= 3)
    }

    /// Bought on 31 January: 28 February, and from then on the 28th.
    @Test func `B7: a month that begins on the 31st moves to the last day of a short month and stays there`() throws {
        let start = instant("2026-01-31T10:00:00Z")
        let setting = PlayWriter.Setting(
            market: .germany, isReadByV1: false, horizon: instant("2026-04-01T00:00:00Z"))
        var writer = PlayWriter(setting, product: .monthly, random: SeededGenerator(seed: 1))
        writer.begin(.fullPrice, at: start)
        writer.write([.renewal, .renewal, .renewal])
        let starts = try #require(writer.tokens.first).orders.map { CivilTime.iso8601($0.serviceStart) }
        #expect(
            starts == [
                "2026-01-31T10:00:00Z", "2026-02-28T10:00:00Z", "2026-03-28T10:00:00Z",
            ])
    }
}
