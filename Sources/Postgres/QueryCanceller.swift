// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// A statement that waits for the server.
struct RunningStatement: Sendable {
    let ticket: UInt64
    /// Its name in the repository.
    let name: String
    let started: ContinuousClock.Instant
    /// False of COMMIT and ROLLBACK, which are sent in any case.
    let isCancellable: Bool
}

/// Ends the wait for a statement from another thread, and never that for the one after it: cancels it on the server when its
/// task was cancelled or others block it, or cuts the connection when no answer will come.
///
/// Each statement holds a ticket while it runs. A request is sent under the lock, so a statement cannot hand
/// its ticket back, and the next cannot begin, while a request for it is on its way.
final class QueryCanceller: Sendable {
    private struct State: ~Copyable {
        let handle: CancelHandle
        /// Nil once the connection is closed.
        var socket: SocketHandle?
        var current: UInt64?
        var last: UInt64 = 0
        /// Why the current statement was ended from here.
        var reason: PostgresError?
    }

    private static let queue = DispatchQueue(label: "subledger.postgres.cancel", attributes: .concurrent)
    private let state: Mutex<State>
    /// Beside the state, whose lock may be held while a request is sent.
    private let visible = Mutex<RunningStatement?>(nil)

    init(_ handle: consuming CancelHandle, _ socket: consuming SocketHandle?) {
        state = Mutex(State(handle: handle, socket: socket))
    }

    /// The statement that runs.
    var running: RunningStatement? { visible.withLock(\.self) }

    /// A statement begins.
    func begin(_ name: String, isCancellable: Bool) -> UInt64 {
        let ticket = state.withLock { state in
            state.last += 1
            state.current = state.last
            state.reason = nil
            return state.last
        }
        let running = RunningStatement(ticket: ticket, name: name, started: .now, isCancellable: isCancellable)
        visible.withLock { $0 = running }
        return ticket
    }

    /// The statement has its answer.
    ///
    /// Returns why it was ended from here, where it was.
    @discardableResult
    func end() -> PostgresError? {
        visible.withLock { $0 = nil }
        return state.withLock { state in
            state.current = nil
            return state.reason
        }
    }

    /// Cancels the statement with that ticket if it still runs.
    ///
    /// Returns at once; the request is sent from a queue.
    func cancel(_ ticket: UInt64) {
        request(ticket, because: nil)
    }

    /// The same for a statement that has waited for too long.
    func giveUp(_ ticket: UInt64, because reason: PostgresError) {
        request(ticket, because: reason)
    }

    private func request(_ ticket: UInt64, because reason: PostgresError?) {
        end(ticket, because: reason) { $0.handle.cancel() }
    }

    /// Ends the connection under the statement with that ticket if it still runs: libpq then finds it lost.
    ///
    /// Returns at once.
    func cut(_ ticket: UInt64, because reason: PostgresError) {
        end(ticket, because: reason) { $0.socket?.shutDown() }
    }

    /// From the queue: the lock may be taken for as long as a request takes to reach the server.
    private func end(
        _ ticket: UInt64, because reason: PostgresError?, by act: @escaping @Sendable (inout State) -> Void
    ) {
        Self.queue.async { [self] in
            state.withLock { state in
                guard state.current == ticket else { return }
                state.reason = reason
                act(&state)
            }
        }
    }

    /// The connection is closed.
    func close() {
        state.withLock { $0.socket = nil }
    }
}
