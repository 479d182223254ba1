// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Cancels the statement that was running when a task was cancelled, and never the one after it.
///
/// Each statement holds a ticket while it runs. The cancel request is sent under the lock, so a statement cannot hand
/// its ticket back, and the next cannot begin, while a request for it is on its way.
final class QueryCanceller: Sendable {
    private struct State: ~Copyable {
        let handle: CancelHandle
        var current: UInt64?
        var last: UInt64 = 0
    }

    private static let queue = DispatchQueue(label: "subledger.postgres.cancel", attributes: .concurrent)
    private let state: Mutex<State>

    init(_ handle: consuming CancelHandle) {
        state = Mutex(State(handle: handle))
    }

    /// A statement begins.
    func begin() -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.current = state.last
            return state.last
        }
    }

    /// The statement has its answer.
    func end() {
        state.withLock { $0.current = nil }
    }

    /// Cancels the statement with that ticket if it still runs. Returns at once; the request is sent from a queue.
    func cancel(_ ticket: UInt64) {
        Self.queue.async { [self] in
            state.withLock { state in
                if state.current == ticket { state.handle.cancel() }
            }
        }
    }
}
