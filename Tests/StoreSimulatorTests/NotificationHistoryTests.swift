// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StoreSimulator

/// Get Notification History, worked out on paper: one customer whose life has nearly everything in it.
@Suite struct NotificationHistoryTests {
    private static let first = "100000000000001"
    private static let app = SimulatedApp.server(id: "acme-ios", bundleID: "com.acme.app", hasNotificationURL: true)

    private static let told = [
        "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "PRICE_INCREASE/PENDING", "PRICE_INCREASE/ACCEPTED",
        "DID_RENEW",
        "REFUND", "REFUND_REVERSED", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "DID_CHANGE_RENEWAL_PREF",
        "DID_FAIL_TO_RENEW/GRACE_PERIOD", "GRACE_PERIOD_EXPIRED", "EXPIRED/BILLING_RETRY",
    ]

    private static func window(_ from: String, _ to: String, _ more: String = "") -> String {
        "{\"startDate\":\(instant(from) / 1_000),\"endDate\":\(instant(to) / 1_000)\(more)}"
    }

    @Test func `every event is told in the store's words`() async throws {
        let customers = Paper.customers(Paper.eventfulLife, app: Self.app)
        try await withStores(customers, apps: [Self.app], clock: "2026-05-01T00:00:00Z") { stores, client in
            let all = try await client.notifications(Self.window("2026-01-01T00:00:00Z", "2026-05-01T00:00:00Z"))
            #expect(all.noticeTypes == Self.told && all.hasMore == false && all.json["paginationToken"] == nil)
            #expect(Set(all.notices.compactMap { $0["notificationUUID"] as? String }).count == Self.told.count)
            // Nothing of it is booked.
            #expect(stores.books.told.isEmpty && stores.books.states(.disclosed) == [])
            let march = try await client.notifications(Self.window("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"))
            #expect(march.noticeTypes == ["DID_FAIL_TO_RENEW/GRACE_PERIOD"])
            try Self.expectContent(of: #require(march.notices.first))
            stores.setClock(instant("2026-05-21T00:00:00Z"))
            let may = try await client.notifications(Self.window("2026-05-20T00:00:00Z", "2026-05-21T00:00:00Z"))
            #expect(may.noticeTypes == ["SUBSCRIBED/RESUBSCRIBE"])
        }
    }

    private static func expectContent(of notice: [String: Any]) throws {
        #expect(notice["version"] as? String == "2.0" && notice["signedDate"] as? Int == 1_772_359_200_000)
        let data = try #require(notice["data"] as? [String: Any])
        #expect(data["bundleId"] as? String == "com.acme.app" && data["environment"] as? String == "Production")
        #expect(data["appAppleId"] as? Int == 1_234_567_890 && data["status"] as? Int == 4)
        let row = payload(try #require(data["signedTransactionInfo"] as? String))
        #expect(row["transactionId"] as? String == "100000000000002")
        let renewal = payload(try #require(data["signedRenewalInfo"] as? String))
        #expect(renewal["gracePeriodExpiresDate"] as? Int == 1_773_741_600_000)
    }

    @Test func `filters narrow the history`() async throws {
        let customers = Paper.customers(Paper.eventfulLife, app: Self.app)
        try await withStores(customers, apps: [Self.app], clock: "2026-05-01T00:00:00Z") { _, client in
            let whole = ("2026-01-01T00:00:00Z", "2026-05-01T00:00:00Z")
            let filters: [(String, [String])] = [
                (#","notificationType":"PRICE_INCREASE""#, ["PRICE_INCREASE/PENDING", "PRICE_INCREASE/ACCEPTED"]),
                (
                    #","notificationType":"PRICE_INCREASE","notificationSubtype":"ACCEPTED""#,
                    ["PRICE_INCREASE/ACCEPTED"]
                ), (#","transactionId":"100000000000002""#, Array(Self.told[5...5] + Self.told[8...])),
                (#","transactionId":"999""#, []),
            ]
            for (filter, types) in filters {
                let answer = try await client.notifications(Self.window(whole.0, whole.1, filter))
                #expect(answer.noticeTypes == types, "\(filter)")
            }
        }
    }

    @Test func `a page has twenty notifications and a token for the next`() async throws {
        let sales = (1...45).map { number in
            var sale = Paper.sale(100 + number)
            sale.purchasedAt += Int64(number) * CivilTime.minute
            return sale
        }
        let customers = Paper.customers([Paper.life(Paper.january())], sales: sales, app: Self.app)
        try await withStores(customers, apps: [Self.app], clock: "2026-01-05T00:00:00Z") { stores, client in
            let window = Self.window("2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z")
            let one = try await client.notifications(window)
            let two = try await client.notifications(window, page: one.json["paginationToken"] as? String)
            let three = try await client.notifications(window, page: two.json["paginationToken"] as? String)
            #expect([one, two, three].map(\.notices.count) == [20, 20, 5])
            #expect([one, two, three].map(\.hasMore) == [true, true, false])
            #expect(three.json["paginationToken"] == nil && Set(one.noticeTypes) == ["ONE_TIME_CHARGE"])
            #expect(Set([one, two, three].flatMap(\.notices).compactMap { $0["signedDate"] as? Int }).count == 45)
            #expect(try await client.notifications(window, page: "bm9uZQ").errorCode == 4_000_014)
            stores.setClock(instant("2026-01-07T00:00:00Z"))
            let late = try await client.notifications(window, page: one.json["paginationToken"] as? String)
            #expect(late.status == 400 && late.errorCode == 4_000_017)
        }
    }

    /// About one in fifty never gets through; days later the others all have.
    @Test func `failures are those that never got through`() async throws {
        let sales = (1...400).map { number in
            var sale = Paper.sale(1_000 + number)
            sale.purchasedAt += Int64(number) * CivilTime.minute
            return sale
        }
        let customers = Paper.customers([], sales: sales, app: Self.app)
        try await withStores(customers, apps: [Self.app], clock: "2026-01-20T00:00:00Z") { _, client in
            let window = Self.window("2026-01-02T00:00:00Z", "2026-01-04T00:00:00Z", #","onlyFailures":true"#)
            let failed = try await client.notifications(window).notifications
            #expect((1...19).contains(failed.count))
            for entry in failed {
                let attempts = entry["sendAttempts"] as? [[String: Any]] ?? []
                #expect(attempts.count == 6 && attempts.last?["sendAttemptResult"] as? String != "SUCCESS")
            }
        }
    }

    @Test func `what is asked wrongly is refused by its code`() async throws {
        let customers = Paper.customers(Paper.eventfulLife, app: Self.app)
        try await withStores(customers, apps: [Self.app], clock: "2026-07-01T00:00:00Z") { _, client in
            // 180 days before the first of July is the second of January.
            let refused: [(String, Int)] = [
                (Self.window("2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"), 4_000_012),
                (Self.window("2026-02-02T00:00:00Z", "2026-02-01T00:00:00Z"), 4_000_013), ("{}", 4_000_015),
                ("{\"startDate\":\(instant("2026-06-01T00:00:00Z") / 1_000)}", 4_000_016),
                (
                    Self.window(
                        "2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z",
                        #","transactionId":"1","notificationType":"REFUND""#), 4_000_019
                ),
            ]
            for (body, code) in refused {
                let answer = try await client.notifications(body)
                #expect(answer.status == 400 && answer.errorCode == code, "\(body)")
            }
            let edge = Self.window("2026-01-03T00:00:00Z", "2026-01-04T00:00:00Z")
            #expect(try await client.notifications(edge).status == 200)
        }
        try await withStores(Paper.customers(Paper.eventfulLife), clock: "2026-05-01T00:00:00Z") { _, client in
            let answer = try await client.notifications(Self.window("2026-04-01T00:00:00Z", "2026-04-02T00:00:00Z"))
            #expect(answer.status == 404 && answer.errorCode == 4_040_007)
        }
    }
}
