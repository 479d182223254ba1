// SPDX-License-Identifier: Apache-2.0

/// Whether the customer bought the subscription or enjoys a family member's.
package enum Ownership: String, Hashable, Sendable, Codable, CaseIterable {
    case purchased
    case familyShared = "family_shared"

    /// The App Store's spelling.
    var storeName: String { self == .purchased ? "PURCHASED" : "FAMILY_SHARED" }
}
