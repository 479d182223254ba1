// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StoreSimulator

/// Version 1 notifications, worked out on paper.
@Suite struct PostedNotificationTests {
    private static let first = "100000000000001"
    private static let app = SimulatedApp.receipt(
        id: "acme-legacy", bundleID: "com.acme.app", hasVersion1Notifications: true)

    private static func body(_ post: PostedNotification) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(post.payload.utf8)) as? [String: Any])
    }

    private static func types(_ stores: SimulatedStores, _ from: String, _ to: String) throws -> [String] {
        try stores.posts(since: instant(from), until: instant(to)).map(\.type)
    }

    /// No end, no end of a grace, no answer to a price and no reversal: it has no words for those.
    @Test func `every event is told in the old words`() async throws {
        let customers = Paper.customers(Paper.eventfulLife, app: Self.app)
        try await withStores(customers, apps: [Self.app], clock: "2026-05-21T00:00:00Z") { stores, _ in
            let (early, late) = ("2025-12-31T00:00:00Z", "2026-05-21T00:00:00Z")
            let told = [
                "INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS", "DID_CHANGE_RENEWAL_STATUS", "PRICE_INCREASE_CONSENT",
                "DID_RENEW", "CANCEL", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_PREF", "DID_FAIL_TO_RENEW",
                "INTERACTIVE_RENEWAL",
            ]
            let all = try Self.types(stores, early, late)
            #expect(all == told)
            // What arrived at an instant arrived by then, and not after it.
            let middle = "2026-02-05T08:00:00Z"
            let (before, after) = (try Self.types(stores, early, middle), try Self.types(stores, middle, late))
            #expect(before == Array(told.prefix(6)) && after == Array(told.dropFirst(6)))
            // Nothing of it is booked.
            #expect(stores.books.told.isEmpty && stores.books.states(.disclosed) == [])
        }
    }

    /// The coins of 2 January are given back on the tenth: only the receipt in it says what the notification is about, and
    /// only the answer to that receipt is known to be so.
    @Test func `the refund of a one-time purchase stands in the receipt`() async throws {
        var sale = Paper.sale(100)
        sale.refund = Refund(at: instant("2026-01-10T10:00:00Z"), extent: .full, reason: 1)
        let customers = Paper.customers([Paper.life(Paper.january())], sales: [sale], app: Self.app)
        try await withStores(customers, apps: [Self.app], clock: "2026-01-11T00:00:00Z") { stores, client in
            let posts = try stores.posts(since: instant("2026-01-01T00:00:00Z"), until: instant("2026-01-11T00:00:00Z"))
            #expect(posts.map(\.type) == ["INITIAL_BUY", "CONSUMPTION_REQUEST", "REFUND"])
            let post = try #require(posts.last)
            #expect(post.appID == "acme-legacy" && post.at == sale.refund?.at)
            let receipt = try Self.expectRefund(in: Self.body(post), client)
            #expect(stores.books.told.isEmpty)
            let secret = try Self.secret(client)
            let answer = try await client.post(
                "/verifyReceipt", "{\"receipt-data\":\"\(receipt)\",\"password\":\"\(secret)\"}")
            #expect(answer.receiptStatus == 0)
            let told = try #require(stores.books.told.first { $0.kind == .oneTime })
            #expect(told.refundedAt == sale.refund?.at && told.refundKind == .full)
            #expect(told.priceMicros == nil && told.refundMicros == nil)
        }
    }

    private static func secret(_ client: StoreClient) throws -> String {
        try String(contentsOfFile: client.setting("shared_secret_file"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func expectRefund(in body: [String: Any], _ client: StoreClient) throws -> String {
        let secret = try secret(client)
        #expect(body["password"] as? String == secret)
        #expect(body["environment"] as? String == "PROD" && body["bid"] as? String == "com.acme.app")
        #expect(body["original_transaction_id"] == nil && body["auto_renew_product_id"] == nil)
        let unified = try #require(body["unified_receipt"] as? [String: Any])
        #expect(unified["environment"] as? String == "Production" && unified["status"] as? Int == 0)
        #expect((unified["pending_renewal_info"] as? [Any])?.count == 1)
        let rows = try #require(unified["latest_receipt_info"] as? [[String: String]])
        #expect(rows.map { $0["transaction_id"] } == ["100000000000100", first])
        #expect(rows.map { $0["cancellation_date_ms"] } == ["1768039200000", nil])
        #expect(rows.map { $0["cancellation_reason"] } == ["1", nil])
        return try #require(unified["latest_receipt"] as? String)
    }

    /// A tester's, taken back on the tenth.
    @Test func `the refund of a subscription says which and when`() async throws {
        let refund = Refund(at: instant("2026-01-10T10:00:00Z"), extent: .full)
        let life = Paper.life(Paper.january().with { $0.refund = refund })
        let customers = Paper.customers(life, app: Self.app, environment: .sandbox)
        try await withStores(customers, apps: [Self.app], clock: "2026-01-11T00:00:00Z") { stores, _ in
            let posts = try stores.posts(since: instant("2026-01-02T00:00:00Z"), until: instant("2026-01-11T00:00:00Z"))
            #expect(posts.map(\.type) == ["CANCEL"])
            let body = try Self.body(#require(posts.first))
            #expect(body["environment"] as? String == "Sandbox")
            #expect(body["original_transaction_id"] as? String == Self.first)
            #expect(body["web_order_line_item_id"] as? String == "500000000000001")
            #expect(body["auto_renew_product_id"] as? String == Paper.monthly)
            #expect(body["auto_renew_status"] as? String == "true")
            #expect(body["cancellation_date"] as? String == "2026-01-10 10:00:00 Etc/GMT")
            #expect(body["cancellation_date_ms"] as? String == "1768039200000")
            #expect(body["cancellation_date_pst"] as? String == "2026-01-10 02:00:00 America/Los_Angeles")
        }
    }

    /// About one in fifty never arrives, some arrive six hours late, and none twice.
    @Test func `some are late, and some are lost`() async throws {
        let sales = (1...400).map { number in
            var sale = Paper.sale(1_000 + number, .nonConsumable)
            sale.purchasedAt += Int64(number) * CivilTime.second
            sale.refund = Refund(at: sale.purchasedAt + 8 * CivilTime.day, extent: .full)
            return sale
        }
        let customers = Paper.customers([], sales: sales, app: Self.app)
        try await withStores(customers, apps: [Self.app], clock: "2026-01-20T00:00:00Z") { stores, _ in
            let posts = try stores.posts(since: instant("2026-01-01T00:00:00Z"), until: instant("2026-01-20T00:00:00Z"))
            #expect(Set(posts.map(\.type)) == ["REFUND"] && (381...399).contains(posts.count))
            let late = posts.count { $0.at > instant("2026-01-10T12:00:00Z") }
            #expect((10...70).contains(late) && Set(posts.map(\.at)).count == posts.count)
        }
    }

    @Test func `an app without a server is told nothing`() async throws {
        let customers = Paper.customers(Paper.eventfulLife, app: Paper.receiptApp)
        try await withStores(customers, apps: [Paper.receiptApp], clock: "2026-05-21T00:00:00Z") { stores, _ in
            let posts = try stores.posts(since: 0, until: instant("2026-05-21T00:00:00Z"))
            #expect(posts == [])
        }
    }
}
