// SPDX-License-Identifier: Apache-2.0

import Foundations
import Testing

/// Worked out on paper.
@Suite struct SharesTests {
    @Test(
        arguments: [
            // 10 ÷ 3 is 3 each, and 1 is left: the first one's.
            (10, [1, 1, 1], [4, 3, 3]),
            // 11 ÷ 3 is 3 each, and 2 are left.
            (11, [1, 1, 1], [4, 4, 3]),
            // What weighs nothing gets nothing of what is left.
            (10, [0, 1, 1, 1], [0, 4, 3, 3]),
            // 9,990,000 × 4 ÷ 10 and × 6 ÷ 10.
            (9_990_000, [4, 6], [3_996_000, 5_994_000]),
            // 100 × 1 ÷ 7 is 14.28, × 2 ÷ 7 is 28.57, × 4 ÷ 7 is 57.14: 99, and one is left.
            (100, [1, 2, 4], [15, 28, 57]),
            (5, [0, 0], [5, 0]), (5, [], []), (0, [2, 3], [0, 0]), (7, [3], [7]),
        ] as [(Int64, [Int64], [Int64])])
    func `each share is rounded down, and what is left goes to the first`(
        amount: Int64, weights: [Int64], shares: [Int64]
    ) {
        #expect(Shares.split(amount, by: weights) == shares)
    }

    @Test func `amounts and weights of any size are shared exactly`() {
        let shares = Shares.split(.max, by: [.max, .max, 1])
        #expect(shares.reduce(0, +) == .max)
        #expect(shares[0] == 4_611_686_018_427_387_904 && shares[2] == 0)
    }

    @Test(
        arguments: [
            // 85 of a whole of 100 that 15 were taken off; a third that is rounded; half up; nothing taken off.
            (85, 100, 15, 100), (2, 3, 1, 3), (5, 3, 1, 8), (7, 100, 0, 7), (7, 100, 100, nil), (7, 100, 101, nil),
            (.max, 100, 50, nil),
        ] as [(Int64, Int64, Int64, Int64?)])
    func `an amount is grossed up by the part that was taken off`(
        amount: Int64, whole: Int64, part: Int64, gross: Int64?
    ) {
        #expect(Shares.grossedUp(amount, whole: whole, without: part) == gross)
    }
}
