// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import Fetch

/// One budget of bytes for all chunks, however many apps they are of; a chunk begins with 250,000.
@Suite struct MemoryRoomTests {
    @Test func `chunks begin while there is room for one more, and one that is alone always does`() {
        var room = MemoryRoom(limit: 600_000)
        #expect(Self.admitted(by: &room) == 2, "750,000 of 600,000")
        room.release(250_000)
        #expect(Self.admitted(by: &room) == 1)
        var narrow = MemoryRoom(limit: 1)
        #expect(Self.admitted(by: &narrow) == 1)
    }

    @Test func `no request begins once the answers have taken all there is, until some are loaded`() {
        var room = MemoryRoom(limit: 600_000)
        #expect(Self.admitted(by: &room) == 2)
        room.grow(99_999)
        #expect(!room.isUsedUp)
        room.grow(1)
        #expect(room.isUsedUp)
        room.release(350_000)
        #expect(!room.isUsedUp && room.taken == 250_000)
    }

    /// 8,000 at first; (16,000 − 8,000) ÷ 8 = 1,000 more, then (16,000 − 9,000) ÷ 8 = 875.
    @Test func `what an answer is expected to take follows those that came, an eighth of the way each time`() {
        var room = MemoryRoom(limit: 600_000)
        #expect(room.meanAnswer == 8_000)
        room.note(mean: 16_000)
        #expect(room.meanAnswer == 9_000)
        room.note(mean: 16_000)
        #expect(room.meanAnswer == 9_875)
    }

    /// Three apps or three thousand: as many chunks are under way as there is room for.
    @Test func `a budget admits as many at once as it has room for, and the next when one is loaded`() async throws {
        let budget = MemoryBudget(bytes: 600_000)
        let first = await budget.admit()
        let second = await budget.admit()
        let isAdmitted = Mutex(false)
        let third = Task {
            let share = await budget.admit()
            isAdmitted.withLock { $0 = share != nil }
        }
        try await Task.sleep(for: .milliseconds(20))
        #expect(isAdmitted.withLock { !$0 })
        first?.release()
        await third.value
        #expect(isAdmitted.withLock { $0 })
        second?.release()
    }

    /// How many may begin, of three that come.
    private static func admitted(by room: inout MemoryRoom) -> Int {
        var admitted = 0
        for _ in 0..<3 where room.admit() { admitted += 1 }
        return admitted
    }
}
