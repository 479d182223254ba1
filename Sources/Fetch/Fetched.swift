// SPDX-License-Identifier: Apache-2.0

package import Stores

/// What became of a chunk's inquiries, in the form in which each was taken.
package struct Fetched<Taken: Sendable>: Sendable {
    /// In the order of the inquiries; those that `stopped` cut off are not among them.
    package let outcomes: [Taken]
    /// Why the app stopped before all had been asked.
    ///
    /// Nothing is to be booked for the rest: they stay due.
    package let stopped: StoreFailure?
    /// Those of which nothing came, because of the limit in bytes or because the app stopped.
    package let remaining: [Inquiry]

    package init(outcomes: [Taken], stopped: StoreFailure?, remaining: [Inquiry] = []) {
        self.outcomes = outcomes
        self.stopped = stopped
        self.remaining = remaining
    }
}
