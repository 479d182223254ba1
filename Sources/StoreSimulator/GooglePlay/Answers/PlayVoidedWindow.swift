// SPDX-License-Identifier: Apache-2.0

/// Which voided purchases are asked for, and from where in their list.
struct PlayVoidedWindow: Hashable {
    var start: Int64
    var end: Int64
    var offset = 0
    var limit = 1_000

    /// The window of a query's parameters, in milliseconds; a page token carries its own.
    ///
    /// Nil for a bad one.
    init?(_ query: [String: String], now: Int64) {
        limit = min(query["maxResults"].flatMap { Int($0) } ?? 1_000, 1_000)
        guard limit > 0 else { return nil }
        if let token = query["token"] {
            let parts = token.split(separator: ".").map { Int64($0) }
            guard parts.count == 3, let start = parts[0], let end = parts[1], let offset = parts[2] else { return nil }
            (self.start, self.end, self.offset) = (start, end, Int(offset))
            return
        }
        let oldest = now - 30 * CivilTime.day
        guard let start = Self.instant(query["startTime"], or: oldest),
            let end = Self.instant(query["endTime"], or: now), start <= end,
            start.milliseconds >= oldest.milliseconds, end.milliseconds <= now.milliseconds
        else { return nil }
        (self.start, self.end) = (start, end)
    }

    private static func instant(_ milliseconds: String?, or fallback: Int64) -> Int64? {
        guard let milliseconds else { return fallback }
        guard let (micros, isTooLarge) = Int64(milliseconds)?.multipliedReportingOverflow(by: 1_000) else { return nil }
        return isTooLarge ? nil : micros
    }

    func token(from offset: Int) -> String { "\(start).\(end).\(offset)" }
}
