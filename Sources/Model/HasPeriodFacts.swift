// SPDX-License-Identifier: Apache-2.0

/// What holds a period's facts reads them as its own.
@dynamicMemberLookup
package protocol HasPeriodFacts {
    var facts: PeriodFacts { get }
}

extension HasPeriodFacts {
    /// A fact of these, by its name.
    @inlinable package subscript<Fact>(dynamicMember name: KeyPath<PeriodFacts, Fact>) -> Fact { facts[keyPath: name] }

    /// Another row of the same period: seats that were added to it, or those that it began with.
    package func isBeside(_ other: some HasPeriodFacts) -> Bool {
        facts.seats != nil && other.facts.seats != nil && facts.end == other.facts.end
            && facts.productID == other.facts.productID && facts.transactionID != other.facts.transactionID
    }
}
