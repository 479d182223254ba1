// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The end of a program, waited for by whoever asks; a cancelled waiter still waits, since there is no exit status before.
final class ProgramEnding: Sendable {
    private enum State {
        case running(waiters: [CheckedContinuation<Void, Never>])
        case ended
    }

    private let state = Mutex(State.running(waiters: []))

    func reached() {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard case .running(let waiters) = state else { return [] }
            state = .ended
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { waiter in
            let isOver = state.withLock { state in
                guard case .running(let waiters) = state else { return true }
                state = .running(waiters: waiters + [waiter])
                return false
            }
            if isOver { waiter.resume() }
        }
    }
}
