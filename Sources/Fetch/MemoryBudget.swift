// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The memory that all chunks under way may take together: what is known of their subscriptions, and answers that are
/// not loaded yet.
///
/// How many chunks are asked at once follows from it, however many apps there are.
///
/// Chunks begin while there is room for what the others are expected to take. Where answers take more than expected, no request
/// begins any more; each chunk loads what it has, which makes room. A chunk that is alone always goes on.
package final class MemoryBudget: Sendable {
    private struct Waiter {
        let ticket: UInt64
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var room: MemoryRoom
        var lastTicket: UInt64 = 0
        var waiters: [Waiter] = []
    }

    private let state: Mutex<State>

    package init(bytes: Int) { state = Mutex(State(room: MemoryRoom(limit: bytes))) }

    /// Waits until a chunk may begin, in the order of coming.
    ///
    /// Nil where the task was cancelled instead.
    package func admit() async -> Share? {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { enqueue($0, ticket: ticket) }
        } onCancel: {
            withdraw(ticket)
        }
        return isAdmitted ? Share(of: self) : nil
    }

    /// A cancellation that came before this point found no waiter to withdraw: `Task.isCancelled` shows it here.
    private func enqueue(_ continuation: CheckedContinuation<Bool, Never>, ticket: UInt64) {
        let answer = state.withLock { state -> Bool? in
            if Task.isCancelled { return false }
            if state.waiters.isEmpty, state.room.admit() { return true }
            state.waiters.append(Waiter(ticket: ticket, continuation: continuation))
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
    }

    private func withdraw(_ ticket: UInt64) {
        let waiter = state.withLock { state -> Waiter? in
            state.waiters.firstIndex { $0.ticket == ticket }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: false)
    }

    fileprivate var isUsedUp: Bool { state.withLock { $0.room.isUsedUp } }

    fileprivate var meanAnswer: Int { state.withLock { $0.room.meanAnswer } }

    /// Changes what there is, and admits who waits for room.
    fileprivate func change(_ body: (inout MemoryRoom) -> Void) {
        let admitted = state.withLock { state -> [Waiter] in
            body(&state.room)
            var admitted: [Waiter] = []
            while !state.waiters.isEmpty, state.room.admit() { admitted.append(state.waiters.removeFirst()) }
            return admitted
        }
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }

    /// What one chunk takes, until it is loaded.
    package final class Share: Sendable {
        private struct Taken {
            /// As the budget counts it.
            var bytes = MemoryRoom.start
            var known = 0
            var expected = 0
            var answers = 0
        }

        private let budget: MemoryBudget
        private let taken = Mutex(Taken())

        fileprivate init(of budget: MemoryBudget) { self.budget = budget }

        deinit { release() }

        /// All chunks together have taken what there is: no request begins any more.
        var isUsedUp: Bool { budget.isUsedUp }

        /// What is known of the chunk takes so many bytes, and so many answers are expected, of so many bytes at most.
        package func expect(known bytes: Int, answers count: Int, limit: Int) {
            let mean = budget.meanAnswer
            update {
                $0.known = bytes
                $0.expected = min(count * mean, limit)
            }
        }

        /// So many bytes of answers are there.
        func note(answers bytes: Int) { update { $0.answers = bytes } }

        /// No further answer comes: `count` of them take what there is.
        func close(count: Int) {
            update { $0.expected = 0 }
            guard count > 0 else { return }
            let mean = taken.withLock { $0.answers } / count
            budget.change { $0.note(mean: mean) }
        }

        /// Nothing of the chunk is in memory any more.
        package func release() {
            let bytes = taken.withLock { taken in
                defer { taken = Taken(bytes: 0) }
                return taken.bytes
            }
            if bytes > 0 { budget.change { $0.release(bytes) } }
        }

        private func update(_ body: (inout Taken) -> Void) {
            let growth = taken.withLock { taken -> Int in
                body(&taken)
                let bytes = max(taken.known + max(taken.expected, taken.answers), 1)
                defer { taken.bytes = bytes }
                return bytes - taken.bytes
            }
            if growth != 0 { budget.change { $0.grow(growth) } }
        }
    }
}
