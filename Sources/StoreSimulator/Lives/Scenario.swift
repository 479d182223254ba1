// SPDX-License-Identifier: Apache-2.0

/// Something that can befall a customer of one store: a way to begin, to go on, to end, or to come back.
package protocol LifeStep: Hashable, Sendable, CaseIterable {
    /// The plain first purchase.
    static var fullPrice: Self { get }
    /// Whether nothing but a new purchase can follow.
    var isEnd: Bool { get }
}

extension LifeStep {
    /// The step that one of 1,000 tickets draws, where each has so many of them; nil for a ticket that nobody has.
    static func drawn(by ticket: Int64, of odds: [(Self, Int64)]) -> Self? {
        var end: Int64 = 0
        return odds.first { _, tickets in
            end += tickets
            return ticket < end
        }?.0
    }
}

/// The beginning of a life that makes sure that every kind of life occurs; chance takes over afterwards.
package struct Scenario<Step: LifeStep>: Sendable {
    package var opening: Step = .fullPrice
    package var product: Product = .monthly
    package var steps: [Step] = []
    /// Whether it must start near the first night to play out in time.
    var startsEarly = false
    /// Whether it starts most of a year before the first night.
    var startsLastYear = false
    /// Whether it starts on the 31st of a month.
    var startsOnTheLastDay = false
    /// Where it must be lived; nil leaves it to chance.
    var market: Market?
    /// Whether the customer has a subscription of another group, too.
    var hasSecondGroup = false
    /// Whether the customer buys the same for themselves, besides what the family shares.
    var hasOwnToo = false
    /// What is bought once in the App Store, right after the first purchase.
    var sales: [SaleKind] = []
    /// What becomes of the first of those.
    var saleRefund: SaleRefund?
    /// Whether the commitment ends with its first year.
    var endsWithCommitment = false

    /// The opening and all that follows it.
    var allSteps: [Step] { [opening] + steps }
}

extension Scenario {
    /// A life that begins so and goes on with these steps, near the first night.
    package init(_ opening: Step = .fullPrice, _ product: Product = .monthly, then steps: [Step]) {
        self.init(opening: opening, product: product, steps: steps, startsEarly: true)
    }
}

/// What becomes of the money of something sold once.
enum SaleRefund: Hashable, Sendable { case full, prorated, reversed }

/// Lives decided up front are written for a span of time.
package struct LifeSpan: Hashable, Sendable {
    /// The first night that looks at them.
    package var firstNight: Int64
    /// No period begins after it.
    package var horizon: Int64

    /// First purchases go on until seven weeks before the horizon, so that something follows them.
    var lastStart: Int64 { max(50, (horizon - firstNight) / CivilTime.day - 50) }

    /// The instant in daylight, so many days from the first night: nothing happens while the nightly job runs.
    func daylight(_ days: Int64, _ timeOfDay: Int64) -> Int64 {
        CivilTime.dayNumber(of: firstNight) * CivilTime.day + days * CivilTime.day + timeOfDay
    }

    /// A time of day in daylight.
    static func timeOfDay(_ random: inout SeededGenerator) -> Int64 {
        random.duration(from: 4 * CivilTime.hour, to: 23 * CivilTime.hour)
    }
}
