// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing
import Transform

/// A generator whose every run is the same: xorshift with a seed of our choice.
private struct Seeded: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { self.state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

/// Lives of up to twelve periods: trials, free codes, lapses, changes of plan, upgrades, refunds, unknown prices.
private func life(_ random: inout Seeded) -> [ObservedPeriod] {
    var periods: [ObservedPeriod] = []
    var start: Int64 = 0
    for number in 0..<Int.random(in: 1...12, using: &random) {
        let isTrial = number == 0 && Bool.random(using: &random)
        let price: Int64? = [9_990_000, 9_990_000, 19_990_000, 0, nil].randomElement(using: &random) ?? nil
        let days: Int64 = isTrial ? 7 : [30, 30, 365].randomElement(using: &random) ?? 30
        let refund: ObservedPeriod.Refund? =
            Int.random(in: 0..<6, using: &random) == 0
            ? .init(
                at: day(start + Int64.random(in: 1...40, using: &random)), kind: .partial,
                thousandthsOfPercent: Int64.random(in: 1...100_000, using: &random)) : nil
        let isUpgraded = Int.random(in: 0..<8, using: &random) == 0
        let hint: ObservedPeriod.Hint? = [.purchase, .renewal, nil, nil].randomElement(using: &random) ?? nil
        periods.append(
            period(
                start, days: days, product: ["monthly", "monthly", "pro"].randomElement(using: &random) ?? "monthly",
                price: price, free: isTrial, hint: number == 0 ? .purchase : hint, refund: refund,
                upgraded: isUpgraded, version: day(5_000)))
        let pause: Int64 = [0, 0, 0, 1, 5, 90].randomElement(using: &random) ?? 0
        start += (isUpgraded ? 10 : days) + pause
    }
    return periods
}

@Suite("The order of an answer decides nothing")
struct OrderTests {
    private func atOnce(_ periods: [ObservedPeriod]) -> [CanonicalTransaction] {
        rows(reading(observation(periods)), now: day(5_000)).transactions
    }

    @Test(arguments: 1...200)
    func `shuffled, doubled and split over several observations, an answer gives the same rows`(seed: UInt64) {
        var random = Seeded(seed)
        let periods = life(&random)
        let expected = atOnce(periods)
        #expect(expected.count == periods.count)
        let doubled = (periods + periods.filter { _ in Bool.random(using: &random) }).shuffled(using: &random)
        #expect(atOnce(doubled) == expected)
        let cut = Int.random(in: 0...doubled.count, using: &random)
        let parts = reading(observation(Array(doubled[..<cut])), observation(Array(doubled[cut...])))
        #expect(rows(parts, now: day(5_000)).transactions == expected)
    }

    @Test(arguments: 1...200)
    func `read over two nights, the earlier part first, a history gives the same rows as at once`(seed: UInt64) {
        var random = Seeded(seed)
        let periods = life(&random)
        let cut = Int.random(in: 0...periods.count, using: &random)
        var books = Books()
        books.book(Array(periods[..<cut]), nil, now: day(5_000))
        books.book(Array(periods[cut...]).shuffled(using: &random), nil, now: day(5_000))
        #expect(books.transactions == atOnce(periods))
    }

    @Test(arguments: 1...50)
    func `the same answer again changes nothing`(seed: UInt64) {
        var random = Seeded(seed)
        let periods = life(&random)
        var books = Books()
        let reported = status(.active, expires: 6_000, version: day(5_000))
        books.book(periods, reported, now: day(5_000))
        let (first, snapshot) = (books.transactions, books.snapshot)
        books.book(periods.shuffled(using: &random), reported, now: day(5_000))
        #expect(books.transactions == first)
        #expect(books.snapshot == snapshot)
    }

    @Test func `of two images of one transaction the newer counts, whichever comes first`() {
        let old = period(0, price: 9_990_000, version: day(1))
        let new = period(0, price: 8_990_000, version: day(2))
        #expect(atOnce([old, new]).map(\.priceMicros) == [8_990_000])
        #expect(atOnce([new, old]).map(\.priceMicros) == [8_990_000])
    }
}
