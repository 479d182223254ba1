// SPDX-License-Identifier: Apache-2.0

import Fetch
import Foundations

/// Where a chunk begins, or its next part: once there is memory for it, and so few at once that what they read cannot go far beyond
/// the budget before it is counted.
struct ChunkGate {
    private let memory: MemoryBudget
    private let reading: AsyncSemaphore

    init(memory: MemoryBudget, readers: Int) {
        self.memory = memory
        reading = AsyncSemaphore(readers)
    }

    /// Throws what `read` throws, or that the task was cancelled.
    func pass<Value>(_ read: (MemoryBudget.Share) async throws -> Value) async throws -> Value {
        guard await reading.acquire() else { throw CancellationError() }
        defer { reading.release() }
        guard let share = await memory.admit() else { throw CancellationError() }
        return try await read(share)
    }
}
