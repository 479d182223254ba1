// SPDX-License-Identifier: Apache-2.0

/// Why a subscription ended, in the store's own judgement.
package enum EndReason: String, Hashable, Sendable, Codable, CaseIterable {
    case voluntary, involuntary, price, product, developer, refund, revoke, replaced, unknown
}
