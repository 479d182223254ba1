// SPDX-License-Identifier: Apache-2.0

/// Chance that repeats: the same seed gives the same lives, whatever machine, year or clock (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A sequence of its own for every seed.
    package init(seed: UInt64) {
        state = seed
    }

    /// A sequence of its own for every pair of seed and stream, so that lives do not depend on each other.
    package init(seed: UInt64, stream: UInt64) {
        var mixer = SeededGenerator(seed: seed ^ (stream &* 0xD134_2543_DE82_EF95))
        state = mixer.next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A whole number of the range, each as likely as the others but for a bias nobody can measure here.
    package mutating func value(in range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// Whole seconds of the range, in microseconds; a reversed range gives its lower bound.
    mutating func duration(from lower: Int64, to upper: Int64) -> Int64 {
        let (first, last) = (lower / CivilTime.second, upper / CivilTime.second)
        return value(in: first...max(first, last)) * CivilTime.second
    }

    /// True as often as `parts` out of 1,000.
    package mutating func chance(perMille parts: Int64) -> Bool {
        value(in: 0...999) < parts
    }

    /// One element of a collection that is not empty; the first one decides the type of the answer.
    mutating func pick<Element>(_ first: Element, _ others: Element...) -> Element {
        let index = Int(value(in: 0...Int64(others.count)))
        return index == 0 ? first : others[index - 1]
    }

    /// Whole seconds between so many hours.
    mutating func hours(_ range: ClosedRange<Int64>) -> Int64 {
        duration(from: range.lowerBound * CivilTime.hour, to: range.upperBound * CivilTime.hour)
    }

    /// Whole seconds between so many days.
    mutating func days(_ range: ClosedRange<Int64>) -> Int64 {
        duration(from: range.lowerBound * CivilTime.day, to: range.upperBound * CivilTime.day)
    }

    /// The elements in a random order (Fisher and Yates).
    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var result = elements
        for index in result.indices.dropFirst().reversed() {
            result.swapAt(index, Int(value(in: 0...Int64(index))))
        }
        return result
    }
}
