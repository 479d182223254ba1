// SPDX-License-Identifier: Apache-2.0

import Model

/// Counts what is unknown in an answer: fields and values, by name.
package struct UnknownValueCounts {
    /// No longer than this is kept of a name that the store chose.
    private static let longestName = 60

    package private(set) var counts: [String: Int64] = [:]

    package init() {}

    package mutating func note(_ what: String) {
        let plain = String(
            what.prefix(Self.longestName).unicodeScalars.map { PlainText.isControl($0) ? "?" : Character($0) })
        counts[plain, default: 0] += 1
    }

    package mutating func note(fields: [String], of kind: String) {
        for field in fields { note("\(kind).\(field)") }
    }
}
