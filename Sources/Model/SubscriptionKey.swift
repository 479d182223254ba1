// SPDX-License-Identifier: Apache-2.0

/// The 63-bit key of a subscription that any client can compute: the first 8 bytes of
/// SHA-256(app id, a zero byte, store key), big-endian, top bit cleared.
package struct SubscriptionKey: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    package let rawValue: Int64
    package init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// From the 32 bytes of that digest.
    package init(digest: [UInt8]) {
        self.rawValue = Int64(digest.prefix(8).reduce(0) { ($0 << 8 | UInt64($1)) } & 0x7fff_ffff_ffff_ffff)
    }

    package var description: String { String(rawValue) }
    package static func < (left: SubscriptionKey, right: SubscriptionKey) -> Bool { left.rawValue < right.rawValue }
}
