// SPDX-License-Identifier: Apache-2.0

/// How much of a budget of bytes is taken, and whether a further chunk may begin.
///
/// Pure.
struct MemoryRoom {
    /// What a chunk is counted with until what is known of it was read.
    static let start = 250_000
    /// What an answer takes before any was seen.
    private static let firstMean = 8_000

    let limit: Int
    private(set) var taken = 0
    private(set) var chunks = 0
    /// What an answer took lately, each chunk counting an eighth.
    private(set) var meanAnswer = MemoryRoom.firstMean

    init(limit: Int) { self.limit = limit }

    var isUsedUp: Bool { taken >= limit }

    /// Takes what a chunk begins with, where there is room; one that is alone finds it always.
    mutating func admit() -> Bool {
        guard chunks == 0 || taken + Self.start <= limit else { return false }
        chunks += 1
        taken += Self.start
        return true
    }

    mutating func grow(_ bytes: Int) { taken += bytes }

    mutating func release(_ bytes: Int) {
        taken -= bytes
        chunks -= 1
    }

    mutating func note(mean: Int) { meanAnswer += (mean - meanAnswer) / 8 }
}
