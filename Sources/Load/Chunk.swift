// SPDX-License-Identifier: Apache-2.0

package import Model

/// The chunk that is being loaded: which run's, and the fence that proves it is still ours.
package struct Chunk: Sendable {
    package let runID: Int64
    package let number: Int
    /// Raised by every claim; a chunk that another worker claimed meanwhile has a higher one.
    package let generation: Int64
    package let appID: AppID
    /// The run's logical now: when what we load was learned.
    package let now: Instant
    /// An intake's, beside the night whose run it is: what is set aside of it counts for nothing of the night.
    package var isBeside: Bool { number < 0 }
    /// The number of the load at hand: the chunk's row has it once the load is in.
    package private(set) var load = Chunk.newNumber

    package init(runID: Int64, number: Int, generation: Int64, appID: AppID, now: Instant) {
        self.runID = runID
        self.number = number
        self.generation = generation
        self.appID = appID
        self.now = now
    }

    /// The same chunk, whose next part is loaded.
    package var withNewLoad: Chunk {
        var chunk = self
        chunk.load = Self.newNumber
        return chunk
    }

    private static var newNumber: Int64 { .random(in: 1...Int64.max) }
}
