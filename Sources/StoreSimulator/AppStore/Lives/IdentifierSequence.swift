// SPDX-License-Identifier: Apache-2.0

/// The numbers the store gives out: unique, growing, of 15 or 16 digits, and never a hint at what they name.
struct IdentifierSequence {
    private var random: SeededGenerator
    private var shortNumber: Int64 = 230_000_100_000_000
    private var longNumber: Int64 = 1_000_000_400_000_000
    private var lineItemNumber: Int64 = 510_000_200_000_000

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed, stream: .max)
    }

    /// Numbers of other ranges, for lives that come on top of a population and must not move anybody's in it.
    init(onTopOf seed: UInt64) {
        random = SeededGenerator(seed: seed, stream: .max - 1)
        (shortNumber, longNumber, lineItemNumber) = (
            330_000_100_000_000, 2_000_000_400_000_000, 610_000_200_000_000
        )
    }

    mutating func transaction() -> String {
        if random.chance(perMille: 500) {
            shortNumber += random.value(in: 1...997)
            return String(shortNumber)
        }
        longNumber += random.value(in: 1...997)
        return String(longNumber)
    }

    mutating func lineItem() -> String {
        lineItemNumber += random.value(in: 1...997)
        return String(lineItemNumber)
    }
}
