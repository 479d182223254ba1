// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Bounds how many tasks do something at once; who waits is served in the order of coming, and no thread waits with them.
package final class AsyncSemaphore: Sendable {
    private struct Waiter {
        let ticket: UInt64
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var free: Int
        var lastTicket: UInt64 = 0
        var waiters: [Waiter] = []

        mutating func newTicket() -> UInt64 {
            lastTicket += 1
            return lastTicket
        }
    }

    private let state: Mutex<State>

    /// - Parameter count: permits; one at least.
    package init(_ count: Int) { state = Mutex(State(free: max(count, 1))) }

    /// Permits that are free now.
    package var free: Int { state.withLock { $0.free } }

    /// Tasks that wait for a permit now.
    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// Waits for a permit; false when the task was cancelled instead, and then there is nothing to release.
    ///
    /// Whoever got one releases it once.
    package func acquire() async -> Bool {
        let ticket = state.withLock { $0.newTicket() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { enqueue($0, ticket: ticket) }
        } onCancel: {
            withdraw(ticket)
        }
    }

    /// Gives a permit back: to the task that waits longest, if one does.
    package func release() {
        let next = state.withLock { state -> Waiter? in
            guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
            state.free += 1
            return nil
        }
        next?.continuation.resume(returning: true)
    }

    /// A cancellation that came before this point found no waiter to withdraw: `Task.isCancelled` shows it here.
    private func enqueue(_ continuation: CheckedContinuation<Bool, Never>, ticket: UInt64) {
        let answer = state.withLock { state -> Bool? in
            if Task.isCancelled { return false }
            if state.free > 0 {
                state.free -= 1
                return true
            }
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
}
