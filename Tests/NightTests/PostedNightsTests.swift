// SPDX-License-Identifier: Apache-2.0

import Model
import TestSupport
import Testing

@testable import StoreSimulator

/// Nights of an app that is read by receipts, and whose owner's server is told by version 1 notifications.
///
/// Like those of version 2 they change when a customer is asked about and never what is booked.
@Suite(.serialized, .hangLimit) struct PostedNightsTests {
    private static let app = SimulatorConfiguration.App.receipt(
        id: "acme-legacy", bundleID: "com.acme.old", hasVersion1Notifications: true)
    private static let nights = 30

    @Test
    func `C1: nights told by version 1 equal the books, and learn one-time refunds the night after`() async throws {
        let adapted: (inout SimulatorConfiguration) -> Void = { store in
            store.requestsPerSecond = 1_000
            store.customers = Self.buyers + Self.others(store)
        }
        try await NightWorld.with(seed: 36, customersPerApp: 60, apps: [Self.app], adapting: adapted) {
            try await Self.play(in: $0)
        }
    }

    private static func play(in world: NightWorld) async throws {
        var told: Set<String> = []
        for number in 1...nights {
            try await world.night(number, "--no-reports", "--quiet")
            try await world.expectTables(.disclosed, "night \(number)")
            told = try world.salesToldRefunded(by: NightWorld.instant(of: number))
            let unknown = told.intersection(refunded(.happened, in: world)).subtracting(refunded(.disclosed, in: world))
            #expect(unknown == [], "night \(number): a refund was not learned")
        }
        #expect(told.count > 5, "too few to prove anything")
        let inbox = try await world.connection.lines(
            "select count(*) > 50, count(*) filter (where handled_at is null), "
                + "count(*) filter (where state = 'refused') from subledger.notification_inbox")
        #expect(inbox == ["true|0|0"])
    }

    private static func refunded(_ column: BookColumn, in world: NightWorld) -> Set<String> {
        let sales = world.stores.books.transactions(column).filter { $0.kind == .oneTime && $0.refundedAt != nil }
        return Set(sales.map(\.transactionID))
    }

    /// They lead every kind of life.
    private static func others(_ store: SimulatorConfiguration) -> [CustomerLife] {
        let firstNight = NightWorld.firstNight.micros
        return AppStorePopulation.lives(
            seed: store.seed, customersPerApp: store.customersPerApp, apps: store.apps,
            span: .init(firstNight: firstNight, horizon: firstNight + store.horizonDays * CivilTime.day))
    }

    /// Whose subscriptions run for a year, so that nothing but the notification makes anybody ask about them when the money
    /// for what they bought once is given back.
    private static var buyers: [CustomerLife] {
        (1...8).map { number in
            let bought = NightWorld.firstNight.micros - 5 * CivilTime.day + 6 * CivilTime.hour
            let period = Period(
                transactionID: "90000000000000\(number)", lineItemID: "95000000000000\(number)",
                productID: Product.yearly.identifier(in: app.bundleID), term: .months(12), createdAt: bought,
                purchasedAt: bought, expiresAt: CivilTime.adding(months: 12, to: bought), reason: .purchase,
                priceMilliunits: 47_990)
            let life = SubscriptionLife(
                originalTransactionID: period.transactionID, groupID: Product.yearly.groupID, periods: [period])
            var sale = Period.sale(
                transactionID: "97000000000000\(number)", productID: "\(app.bundleID).lifetime", kind: .nonConsumable,
                purchasedAt: bought + CivilTime.hour, priceMilliunits: 79_900)
            let back = NightWorld.firstNight.micros + (Int64(number) * 2 * 24 + 7) * CivilTime.hour
            sale.refund = Refund(at: back, extent: .full, reason: 1)
            return CustomerLife(
                appID: app.id, accountID: "account-buyer-\(number)", subscriptions: [life], sales: [sale])
        }
    }
}
