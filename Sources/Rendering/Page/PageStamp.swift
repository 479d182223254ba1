// SPDX-License-Identifier: Apache-2.0

import Postgres

/// What the page says of its data as a whole.
struct PageStamp {
    /// The reporting currency.
    let currency: String
    /// The day of the first run that asked a store; nil before there was one.
    let observedSince: String?
    /// Who published the exchange rates, and the newest one's day; nil without any.
    let rateSources: String?
    let newestRate: String?
    /// When the published commission rules were last compared with the stores' pages.
    let rulesComparedOn: String

    /// Days after which the published rules are compared again.
    private static let comparisonHolds = 180

    /// Whether the comparison is so long before the business date that fees may have changed unseen.
    func isComparisonOld(on businessDate: String) -> Bool {
        guard let compared = PageSpan.day(rulesComparedOn), let day = PageSpan.day(businessDate) else { return false }
        return day - compared > Self.comparisonHolds
    }
}

extension PageStamp {
    init(_ row: PostgresRow) throws(PostgresError) {
        currency = try row.string("currency")
        observedSince = try row.optionalString("observed_since")
        rateSources = try row.optionalString("rate_sources")
        newestRate = try row.optionalString("newest_rate")
        rulesComparedOn = try row.string("rules_compared_on")
    }
}
