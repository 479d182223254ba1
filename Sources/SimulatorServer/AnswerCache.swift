// SPDX-License-Identifier: Apache-2.0

import StoreSimulator
import Synchronization

/// Answers that were given already at this clock, so that a store that is asked again does not hold a program up.
///
/// It looks at neither quota nor authorization: for measuring programs, not for testing them.
final class AnswerCache: Sendable {
    struct Question: Hashable, Sendable {
        let uri: String
        let body: [UInt8]
    }

    private struct State {
        var clock: Int64 = .min
        var answers: [Question: StoreResponse] = [:]
    }

    private let state = Mutex(State())

    /// The answer to a question at that clock, made where it was not given before.
    func answer(to question: Question, at clock: Int64, make: () -> StoreResponse) -> StoreResponse {
        if let known = state.withLock({ $0.clock == clock ? $0.answers[question] : nil }) { return known }
        let made = make()
        guard made.status == 200, question.uri != "/token" else { return made }
        state.withLock { state in
            if state.clock != clock { state = State(clock: clock) }
            state.answers[question] = made
        }
        return made
    }
}
