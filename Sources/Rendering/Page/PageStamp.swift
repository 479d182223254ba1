// SPDX-License-Identifier: Apache-2.0

/// What the page says of its data as a whole.
package struct PageStamp {
    /// The reporting currency.
    let currency: String
    /// The day of the first run that asked a store; nil before there was one.
    let observedSince: String?
    /// Who published the exchange rates, and the newest one's day; nil without any.
    let rateSources: String?
    let newestRate: String?
    /// When the published commission rules were last compared with the stores' pages.
    let rulesComparedOn: String

    package init(
        currency: String, observedSince: String?, rateSources: String?, newestRate: String?, rulesComparedOn: String
    ) {
        (self.currency, self.observedSince, self.rulesComparedOn) = (currency, observedSince, rulesComparedOn)
        (self.rateSources, self.newestRate) = (rateSources, newestRate)
    }

    /// Days after which the published rules are compared again.
    private static let comparisonLasts = 180

    /// Whether the comparison is so long before the business date that fees may have changed unseen.
    func isComparisonOld(on businessDate: String) -> Bool {
        guard let compared = PageSpan.day(rulesComparedOn), let day = PageSpan.day(businessDate) else { return false }
        return day - compared > Self.comparisonLasts
    }
}
