// SPDX-License-Identifier: Apache-2.0

/// The answer of `purchases.voidedpurchases.list`.
struct PlayVoidedAnswer: Encodable {
    struct Entry: Encodable {
        var kind = "androidpublisher#voidedPurchase"
        var purchaseToken: String
        var purchaseTimeMillis: String
        var voidedTimeMillis: String
        var orderId: String
        var voidedSource: Int?
        var voidedReason: Int?
        var voidedQuantity: Int64?
    }
    struct Page: Encodable {
        var totalResults: Int
        var resultPerPage: Int
        var startIndex: Int?
    }
    struct Tokens: Encodable {
        var nextPageToken: String
    }

    var pageInfo: Page
    var tokenPagination: Tokens?
    var voidedPurchases: [Entry]?
}

/// Which voided purchases are asked for, and from where in their list.
struct PlayVoidedWindow: Hashable {
    var start: Int64
    var end: Int64
    var offset = 0
    var limit = 1_000

    /// The window of a query's parameters, in milliseconds; a page token carries its own. Nil for a bad one.
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
            let end = Self.instant(query["endTime"], or: now)
        else { return nil }
        guard start / 1_000 >= oldest / 1_000, end / 1_000 <= now / 1_000, start <= end else { return nil }
        self.start = start
        self.end = end
    }

    private static func instant(_ milliseconds: String?, or fallback: Int64) -> Int64? {
        guard let milliseconds else { return fallback }
        return Int64(milliseconds).flatMap {
            let (micros, isTooLarge) = $0.multipliedReportingOverflow(by: 1_000)
            return isTooLarge ? nil : micros
        }
    }

    /// The token of the page that begins there.
    func token(from offset: Int) -> String { "\(start).\(end).\(offset)" }
}
