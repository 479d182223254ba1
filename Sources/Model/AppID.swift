// SPDX-License-Identifier: Apache-2.0

/// The owner's own name of an app, as in the configuration (`acme-ios`).
package struct AppID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
    package var description: String { rawValue }
    package static func < (left: AppID, right: AppID) -> Bool { left.rawValue < right.rawValue }
}
