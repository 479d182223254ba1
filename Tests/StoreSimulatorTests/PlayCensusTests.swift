// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// What a year of a small population holds, counted from the lives themselves.
@Suite struct PlayCensusTests {
    private static let app = SimulatedApp.play(id: "acme-android", packageName: "com.acme.app")
    private static let firstNight = instant("2026-01-05T02:15:00Z")

    private static func census(
        nights: Int64, customers: Int, seed: UInt64, without: Set<PlayChapter> = []
    ) -> (PlayCensus, [PlayCustomer]) {
        let end = firstNight + nights * CivilTime.day
        let lives = PlayPopulation.lives(
            seed: seed, customersPerApp: customers, apps: [app],
            span: Population.Span(firstNight: firstNight, horizon: end), without: without)
        return (PlayCensus(lives, until: end), lives)
    }

    @Test("B7: every case of Google Play occurs three times among two hundred customers in 365 nights")
    func everyCaseOccurs() {
        let (census, _) = Self.census(nights: 365, customers: 200, seed: 1)
        #expect(census.cases(below: 3) == [], "\(census.counts)")
    }

    @Test("B7: what a test does not want never happens, and all else still does")
    func unwantedCasesAreLeftOut() {
        let unwanted: Set<PlayChapter> = [
            .timeProration, .planShortened, .addOnBought, .pauseThenHold, .forgotten, .oneTimeSale,
        ]
        let (census, lives) = Self.census(nights: 365, customers: 200, seed: 1, without: unwanted)
        #expect(Set(lives.flatMap(\.chapters)).isDisjoint(with: unwanted))
        let none: [PlayCensus.Case] = [.withTimeProration, .addOnBought, .pausedThenHold, .soldOnce]
        #expect(none.allSatisfy { census.counts[$0] == nil })
        #expect(census.counts[.withoutProration, default: 0] >= 3)
    }

    /// Bought on 31 January: 28 February, and from then on the 28th.
    @Test("B7: a month that begins on the 31st moves to the last day of a short month and stays there")
    func monthEndsStay() throws {
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
