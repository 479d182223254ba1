// SPDX-License-Identifier: Apache-2.0

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
