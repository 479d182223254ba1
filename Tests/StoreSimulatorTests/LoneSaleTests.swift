// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// What is sold once to somebody without a subscription: only a notification tells of it.
@Suite struct LoneSaleTests {
    private static let app = SimulatedApp.server(id: "acme-ios", bundleID: "com.acme.app", hasNotificationURL: true)
    private static let id = "100000000000008"

    private static var customers: [CustomerLife] {
        var sale = Paper.sale(8, .nonConsumable)
        sale.refund = Refund(at: instant("2026-01-20T08:00:00Z"), extent: .prorated(percentage: 33_333), reason: 1)
        return Paper.customers([], sales: [sale], app: app)
    }

    /// The charge on the second, the refund on the twentieth: 33.333 % of 4.00 is 1.33332, in cents 1.33.
    @Test func `notifications tell of a sale, and its own row is booked`() async throws {
        try await withStores(Self.customers, apps: [Self.app], clock: "2026-01-21T00:00:00Z") { stores, client in
            let window = "{\"startDate\":\(instant("2026-01-01T00:00:00Z") / 1_000),\"endDate\":1769000000000}"
            let told = try await client.notifications(window)
            #expect(told.noticeTypes == ["ONE_TIME_CHARGE", "REFUND"])
            for notice in told.notices {
                let data = try #require(notice["data"] as? [String: Any])
                #expect(data["signedRenewalInfo"] == nil && data["status"] == nil)
                let row = payload(try #require(data["signedTransactionInfo"] as? String))
                #expect(row["transactionId"] as? String == Self.id && row["type"] as? String == "Non-Consumable")
            }
            // A hint books nothing.
            #expect(stores.books.told.isEmpty)
            _ = try await client.get("/inApps/v1/transactions/\(Self.id)")
            for column in BookColumn.allCases {
                #expect(stores.books.transactions(column).map(\.kind) == [.oneTime])
                #expect(stores.books.transactions(column).map(\.originalTransactionID) == [Self.id])
                #expect(
                    stores.books.sold(column, through: "2026-01-20") == [
                        "2026-01-02 US USD charges 1 4000000 refunds 0 0",
                        "2026-01-20 US USD charges 0 0 refunds 1 1330000",
                    ])
                #expect(
                    stores.books.subscriptions(column).isEmpty
                        && stores.books.churn(column, through: "2026-01-20").isEmpty)
            }
            #expect(stores.books.access().isEmpty && stores.registrations(since: .min, until: .max).isEmpty)
        }
    }

    /// Its id is as good as any for the other questions: no subscription stands there, and its history is itself.
    @Test func `a lone sale's history is itself`() async throws {
        try await withStores(Self.customers, apps: [Self.app], clock: "2026-01-05T00:00:00Z") { _, client in
            let statuses = try await client.statuses(Self.id)
            #expect(statuses.status == 200 && statuses.entries.isEmpty)
            let history = try await client.history(Self.id)
            #expect(history.transactionIDs == [Self.id] && history.hasMore == false)
        }
    }
}
