// SPDX-License-Identifier: Apache-2.0

/// Counts what an answer held that nobody here knows: unknown fields and values, by name.
struct Oddities {
    /// No longer than this is kept of a name that the store chose.
    private static let longestName = 60

    private(set) var counts: [String: Int64] = [:]

    mutating func note(_ what: String) { counts[String(what.prefix(Self.longestName)), default: 0] += 1 }

    mutating func note(fields: [String], of kind: String) {
        for field in fields { note("\(kind).\(field)") }
    }
}
