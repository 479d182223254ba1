// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The memory for answers that are received part by part, shared by the inquiries of a round: a history may be of any
/// length, and many may be under way. What has no room is asked for when the parts before it are loaded.
package final class AnswerBuffer: Sendable {
    private let limit: Int
    private let held = Atomic<Int>(0)

    /// - Parameter limit: in bytes.
    package init(limit: Int) { self.limit = limit }

    package func share() -> Share { Share(of: self) }

    /// What one inquiry holds of it.
    package final class Share: Sendable {
        private let buffer: AnswerBuffer
        private let held = Atomic<Int>(0)

        fileprivate init(of buffer: AnswerBuffer) { self.buffer = buffer }

        /// No further part is to be asked for now. A first one always is, so that each round gets on.
        package var isFull: Bool { buffer.held.load(ordering: .relaxed) >= buffer.limit }

        /// Counts a part that was received, in bytes.
        package func hold(_ bytes: Int) {
            held.add(bytes, ordering: .relaxed)
            buffer.held.add(bytes, ordering: .relaxed)
        }

        /// What was received is read, or given up.
        package func release() {
            buffer.held.subtract(held.exchange(0, ordering: .relaxed), ordering: .relaxed)
        }
    }
}
