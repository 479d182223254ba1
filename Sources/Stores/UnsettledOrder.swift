// SPDX-License-Identifier: Apache-2.0

package import Model

/// An order that its store has not settled, or did not return: nothing of it is booked, and it is asked for again.
package struct UnsettledOrder: Hashable, Sendable {
    package let id: String
    /// The charge of the next order after it that is booked; nil where it is the latest.
    package let followedAt: Instant?

    package init(id: String, followedAt: Instant? = nil) {
        self.id = id
        self.followedAt = followedAt
    }
}
