// SPDX-License-Identifier: Apache-2.0

/// The two columns of the books: what customers did, and what the store has told about it so far.
package enum BookColumn: String, Hashable, Sendable, Codable, CaseIterable {
    /// The truth at the store's clock, whether anybody asked or not.
    case happened
    /// What the answers sent until now said, and nothing else.
    case revealed
}
