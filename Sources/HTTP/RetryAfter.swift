// SPDX-License-Identifier: Apache-2.0

/// Both meanings of a `Retry-After`: seconds from now, or (the App Store's) an absolute UNIX time in milliseconds.
package enum RetryAfter {
    /// The wait a header value asks for at `nowMilliseconds`; nil when it says nothing we understand.
    package static func wait(_ value: String, nowMilliseconds: Int64) -> Duration? {
        guard let number = Int64(value.trimmingSpaces), number >= 0 else { return nil }
        let isAbsolute = number >= 10_000_000_000
        let milliseconds = isAbsolute ? max(0, number - nowMilliseconds) : number * 1_000
        return .milliseconds(milliseconds)
    }
}

extension String {
    fileprivate var trimmingSpaces: Substring {
        let start = drop(while: { $0 == " " })
        guard let last = start.lastIndex(where: { $0 != " " }) else { return "" }
        return start[...last]
    }
}
