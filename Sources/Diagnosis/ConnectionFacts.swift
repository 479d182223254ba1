// SPDX-License-Identifier: Apache-2.0

/// What a night takes of the server's connections, beside what it is left.
package struct ConnectionFacts: Sendable {
    package var needed: Int
    package var free: Int64
    package var limit: Int64
    /// `server`, `role` or `database`.
    package var limitedBy: String

    package init(needed: Int, free: Int64, limit: Int64, limitedBy: String) {
        (self.needed, self.free, self.limit, self.limitedBy) = (needed, free, limit, limitedBy)
    }

    var finding: Finding {
        let figures = "a night takes up to \(needed), free now are \(free) of the \(limitedBy)'s \(limit)"
        guard free < Int64(needed) else { return .fine("connections", figures) }
        return .toDo(
            "connections", "\(figures): let the \(limitedBy) have more, or give the night fewer --workers")
    }
}
