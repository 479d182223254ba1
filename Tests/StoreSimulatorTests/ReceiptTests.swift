// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StoreSimulator

/// verifyReceipt as a stranger's client sees it.
@Suite struct ReceiptTests {
    private static let apps = [Paper.receiptApp]
    private static let life = Paper.life(
        Paper.trial(),
        Paper.period(2, "2026-01-08T10:00:00Z", "2026-02-08T10:00:00Z").with {
            $0.ending = .billing(
                .init(
                    graceEndsAt: instant("2026-02-24T10:00:00Z"),
                    outcome: .givenUp(at: instant("2026-04-09T10:00:00Z"))))
        })

    private static func secret(_ client: StoreClient) throws -> String {
        try String(contentsOfFile: client.setting("shared_secret_file"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func body(_ receipt: String, _ secret: String, excludesOld: Bool = false) -> String {
        "{\"receipt-data\":\"\(receipt)\",\"password\":\"\(secret)\",\"exclude-old-transactions\":\(excludesOld)}"
    }

    private static func rows(_ answer: StoreClient.Answer) -> [[String: String]] {
        answer.json["latest_receipt_info"] as? [[String: String]] ?? []
    }

    @Test func `a receipt tells its story in the old style`() async throws {
        let customers = Paper.customers(Self.life, app: Paper.receiptApp)
        try await withStores(customers, apps: Self.apps, clock: "2026-02-10T00:00:00Z") { stores, client in
            let registered = stores.registrations(since: 0, until: instant("2026-02-01T00:00:00Z"))
            #expect(registered.map(\.storeKey) == ["100000000000001"] && registered[0].country == nil)
            let receipt = try #require(registered.first?.receipt)
            let answer = try await client.post("/verifyReceipt", Self.body(receipt, try Self.secret(client)))
            #expect(answer.status == 200 && answer.receiptStatus == 0)
            #expect(Set(Self.rows(answer).map { $0["transaction_id"] }) == ["100000000000001", "100000000000002"])
            let trial = try #require(Self.rows(answer).first { $0["is_trial_period"] == "true" })
            #expect(trial["purchase_date"] == "2026-01-01 10:00:00 Etc/GMT")
            #expect(trial["purchase_date_ms"] == "1767261600000")
            #expect(trial["purchase_date_pst"] == "2026-01-01 02:00:00 America/Los_Angeles")
            #expect(trial["price"] == nil && trial["storefront"] == nil && trial["quantity"] == "1")
            let pending = try #require((answer.json["pending_renewal_info"] as? [[String: String]])?.first)
            #expect(pending["is_in_billing_retry_period"] == "1" && pending["auto_renew_status"] == "1")
            #expect(pending["grace_period_expires_date_ms"] == "1771927200000")
            let books = stores.books
            #expect(books.states(.disclosed) == ["grace"])
            #expect(books.told.map(\.kind) == [.trial, .purchase])
            #expect(books.told.allSatisfy { $0.priceMicros == nil && $0.currency == nil && $0.country == nil })
            #expect(books.sold(.disclosed, through: "2026-02-09").isEmpty)
        }
    }

    @Test func `the newest receipt and the old one both open the story`() async throws {
        let customers = Paper.customers(Self.life, app: Paper.receiptApp)
        try await withStores(customers, apps: Self.apps, clock: "2026-02-10T00:00:00Z") { stores, client in
            let secret = try Self.secret(client)
            let old = try #require(stores.registrations(since: 0, until: .max).first?.receipt)
            let answer = try await client.post("/verifyReceipt", Self.body(old, secret))
            let newest = try #require(answer.json["latest_receipt"] as? String)
            #expect(newest != old)
            for receipt in [old, newest] {
                let all = try await client.post("/verifyReceipt", Self.body(receipt, secret))
                #expect(all.receiptStatus == 0 && Self.rows(all).count == 2)
                let last = try await client.post("/verifyReceipt", Self.body(receipt, secret, excludesOld: true))
                #expect(Self.rows(last).map { $0["transaction_id"] } == ["100000000000002"])
            }
        }
    }

    /// No row of a receipt says why it was made: whether a gap was spent in retry is known to who saw the retry.
    @Test func `a recovery out of retry is told only while it lasts`() async throws {
        let life = Paper.life(
            Paper.january().with { $0.ending = .billing(.init(outcome: .recovers)) },
            Paper.period(2, "2026-02-06T12:00:00Z", "2026-03-06T12:00:00Z"))
        let customers = Paper.customers(life, app: Paper.receiptApp)
        let cases: [(asks: Bool, kind: BookedTransaction.Kind, end: String)] = [
            (false, .resubscribe, "churned 1 other 1"), (true, .renewal, "lapsed 1"),
        ]
        for (asks, kind, end) in cases {
            try await withStores(customers, apps: Self.apps, clock: "2026-02-03T00:00:00Z") { stores, client in
                let receipt = try #require(stores.registrations(since: 0, until: .max).first?.receipt)
                let request = Self.body(receipt, try Self.secret(client))
                if asks { _ = try await client.post("/verifyReceipt", request) }
                stores.setClock(instant("2026-02-09T00:00:00Z"))
                _ = try await client.post("/verifyReceipt", request)
                for column in BookColumn.allCases {
                    #expect(stores.books.transactions(column).map(\.kind).contains(kind))
                    #expect(
                        stores.books.churned(column, from: "2026-02-01", through: "2026-02-01")
                            == ["2026-02-01 monthly opening 1 \(end)"])
                }
            }
        }
    }

    @Test func `receipts are refused by their own statuses`() async throws {
        let tester = CustomerLife(
            appID: "acme-legacy", accountID: "t", environment: .sandbox, subscriptions: [Paper.life(Paper.january())])
        let customer = CustomerLife(
            appID: "acme-legacy", accountID: "c", subscriptions: [Paper.life(Paper.january(9))])
        try await withStores([tester, customer], apps: Self.apps, clock: "2026-01-05T00:00:00Z") { stores, client in
            let secret = try Self.secret(client)
            let bought = stores.registrations(since: 0, until: instant("2026-02-01T00:00:00Z"))
            let test = try #require(bought.first { $0.environment == .sandbox }?.receipt)
            let real = try #require(bought.first { $0.environment == .production }?.receipt)
            func status(_ path: String, _ body: String) async throws -> Int? {
                try await client.post(path, body).receiptStatus
            }
            #expect(try await status("/verifyReceipt", Self.body(test, secret)) == 21_007)
            #expect(try await status("/sandbox/verifyReceipt", Self.body(test, secret)) == 0)
            #expect(try await status("/sandbox/verifyReceipt", Self.body(real, secret)) == 21_008)
            #expect(try await status("/verifyReceipt", Self.body(real, "wrong")) == 21_004)
            #expect(try await status("/verifyReceipt", Self.body("AAAA", secret)) == 21_003)
            #expect(try await status("/verifyReceipt", Self.body("not base64!", secret)) == 21_002)
            #expect(try await status("/verifyReceipt", "no json") == 21_002)
        }
    }

    @Test func `recorded answers are served byte for byte`() async throws {
        let customers = Paper.customers(Self.life, app: Paper.receiptApp)
        try await withStores(customers, apps: Self.apps, clock: "2026-02-10T00:00:00Z") { stores, client in
            let recorded = Array("{ \"status\" : 0,  \"odd\": \"spacing\"}\n".utf8)
            stores.record(receipt: "TUlJ", answer: recorded, in: .sandbox)
            let misdirected = try await client.post("/verifyReceipt", Self.body("TUlJ", "any"))
            #expect(misdirected.receiptStatus == 21_007)
            let answer = try await client.post("/sandbox/verifyReceipt", Self.body("TUlJ", "any"))
            #expect(answer.body == recorded)
        }
    }
}
