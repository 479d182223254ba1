// SPDX-License-Identifier: Apache-2.0

/// A stored App Store receipt: one for many subscriptions, asked once a night.
package struct Receipt: Hashable, Sendable {
    /// How the store key of a bare receipt's placeholder begins.
    package static let placeholderPrefix = "receipt-"

    package let id: Int64
    package let data: Secret

    package init(id: Int64, data: Secret) {
        self.id = id
        self.data = data
    }
}
