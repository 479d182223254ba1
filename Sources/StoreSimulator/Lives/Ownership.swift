// SPDX-License-Identifier: Apache-2.0

/// Whether the customer bought the subscription, enjoys a family member's, or has a seat that a group or organization pays.
package enum Ownership: String, Hashable, Sendable, Codable, CaseIterable {
    case purchased
    case familyShared = "family_shared"
    case assigned

    /// The App Store's spelling.
    var storeName: String {
        switch self {
        case .purchased: "PURCHASED"
        case .familyShared: "FAMILY_SHARED"
        case .assigned: "ASSIGNED"
        }
    }
}
