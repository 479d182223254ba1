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
