// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Where tasks hand requests to the loop's thread, and the only thing the two share.
final class Mailbox: Sendable {
    /// What has come in since the loop last looked.
    struct Delivery: Sendable {
        var submitted: [Exchange] = []
        var cancelled: [Cancellation] = []
        var isStopping = false
    }

    private struct State {
        var delivery = Delivery()
        var handle: MultiHandle?
        var isInterrupted = true
        var isClosed = false
        var hasEnded = false
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []

        /// One interruption is enough until the loop has looked: under load most submissions find it already on its way.
        mutating func interrupt() {
            guard !isInterrupted, let handle else { return }
            isInterrupted = true
            handle.interrupt()
        }
    }

    private let state = Mutex(State())

    /// Hands a request over; once the loop has ended it fails at once.
    func submit(_ exchange: Exchange) {
        let isAccepted = state.withLock { state in
            guard !state.isClosed else { return false }
            state.delivery.submitted.append(exchange)
            state.interrupt()
            return true
        }
        if !isAccepted { exchange.fail(.shutDown) }
    }

    /// Asks for a request to be aborted; one that is already answered is left alone.
    func cancel(_ cancellation: Cancellation) {
        cancellation.request()
        state.withLock { state in
            guard !state.isClosed else { return }
            state.delivery.cancelled.append(cancellation)
            state.interrupt()
        }
    }

    /// Asks the loop to end.
    func stop() {
        state.withLock { state in
            state.delivery.isStopping = true
            state.interrupt()
        }
    }

    /// Returns once the loop has ended and its connections are closed.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waitingForEnd.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }
}

/// The loop's side.
extension Mailbox {
    /// Sets which loop to signal from now on.
    func open(interrupting handle: MultiHandle) {
        state.withLock { $0.handle = handle }
    }

    /// Takes what has come in.
    ///
    /// The next submission signals the loop again.
    func take() -> Delivery {
        state.withLock { state in
            state.isInterrupted = false
            guard !state.delivery.isStopping else { return Self.stopping(&state) }
            let delivery = state.delivery
            state.delivery = Delivery()
            return delivery
        }
    }

    /// The last delivery: whatever comes later is refused.
    private static func stopping(_ state: inout State) -> Delivery {
        state.isClosed = true
        state.handle = nil
        let delivery = state.delivery
        state.delivery = Delivery()
        return delivery
    }

    /// Says that the loop has ended.
    func signalEnd() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            let waiting = state.waitingForEnd
            state.waitingForEnd = []
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
