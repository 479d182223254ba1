// SPDX-License-Identifier: Apache-2.0

/// Customers of the App Store who all do the same, for measuring: so many paid months each, the last of which goes on beyond the
/// first night.
package enum UniformLives {
    /// `earlier`: how many customers other apps of the store have: none of their transactions is one of theirs.
    package static func lives(
        of app: SimulatedApp, customers: Int, after earlier: Int = 0, months: Int, firstNight: Int64
    ) -> [CustomerLife] {
        (earlier..<earlier + customers).map { number in
            let ends = firstNight + Int64(number % 27 + 1) * CivilTime.day + CivilTime.hour
            let begins = CivilTime.adding(months: -Int64(months), to: ends)
            let periods = (0..<months).map { month in
                period(of: app, customer: number, place: month, begins: begins)
            }
            let life = SubscriptionLife(
                originalTransactionID: periods.first?.transactionID ?? "", groupID: Product.monthly.groupID,
                periods: periods)
            return CustomerLife(appID: app.id, accountID: "account-\(app.id)-\(number)", subscriptions: [life])
        }
    }

    private static func period(
        of app: SimulatedApp, customer: Int, place: Int, begins: Int64
    ) -> Period {
        let identifier = Int64(customer) * 1_000 + Int64(place)
        let start = CivilTime.adding(months: Int64(place), to: begins)
        let end = CivilTime.adding(months: Int64(place) + 1, to: begins)
        return Period(
            transactionID: String(200_000_000_000_000 + identifier),
            lineItemID: String(600_000_000_000_000 + identifier),
            productID: Product.monthly.identifier(in: app.bundleID), term: .months(1), createdAt: start,
            purchasedAt: start, expiresAt: end,
            reason: place == 0 ? .purchase : .renewal, priceMilliunits: 7_990)
    }
}
