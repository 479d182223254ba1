// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Testing

@testable import StoreSimulator

/// The App Store Server API as a stranger's client sees it.
@Suite struct ServerAPITests {
    private static let first = "100000000000001"
    private static let renewing = Paper.life(Paper.january(), Paper.february())
    private static let addon = Paper.life(
        Paper.period(
            7, "2026-01-03T10:00:00Z", "2026-02-03T10:00:00Z", product: "com.acme.app.addon.monthly",
            reason: .purchase), group: "21000002")

    @Test func `statuses show every subscription of the customer as of the clock`() async throws {
        try await withStores(Paper.customers(Self.renewing, Self.addon), clock: "2026-01-05T00:00:00Z") {
            stores, client in
            let answer = try await client.statuses(Self.first)
            #expect(answer.status == 200 && answer.version == .http2)
            #expect(answer.headers["content-type"] == "application/json")
            #expect(answer.statusByID == [Self.first: 1, "100000000000007": 1])
            #expect(answer.json["bundleId"] as? String == "com.acme.app")
            #expect(answer.json["appAppleId"] as? Int == 1_234_567_890)
            #expect(try await client.statuses("100000000000002").errorCode == 4_040_010)
            stores.setClock(instant("2026-02-02T00:00:00Z"))
            let newest = try await client.statuses("100000000000002").entries
                .compactMap { $0["signedTransactionInfo"] as? String }.map(payload)
            #expect(
                Set(newest.compactMap { $0["transactionId"] as? String }) == ["100000000000002", "100000000000007"])
        }
    }

    @Test func `transactions and renewals carry the store's fields`() async throws {
        let trouble = Ending.BillingTrouble(
            graceEndsAt: instant("2026-02-17T10:00:00Z"), outcome: .givenUp(at: instant("2026-04-02T10:00:00Z")))
        let life = Paper.life(Paper.january().with { $0.ending = .billing(trouble) })
        try await withStores(Paper.customers(life), clock: "2026-02-05T00:00:00Z") { stores, client in
            let entry = try #require(try await client.statuses(Self.first).entries.first)
            #expect(entry["status"] as? Int == 4)
            Self.expectTransaction(payload(try #require(entry["signedTransactionInfo"] as? String)))
            let renewal = payload(try #require(entry["signedRenewalInfo"] as? String))
            #expect(renewal["gracePeriodExpiresDate"] as? Int == 1_771_322_400_000)
            #expect(renewal["isInBillingRetryPeriod"] as? Bool == true)
            #expect(renewal["renewalDate"] as? Int == 1_769_940_000_000)
            #expect(renewal["autoRenewStatus"] as? Int == 1 && renewal["bundleId"] == nil)
            stores.setClock(instant("2026-02-20T00:00:00Z"))
            #expect(try await client.statuses(Self.first).statusByID == [Self.first: 3])
            stores.setClock(instant("2026-04-03T00:00:00Z"))
            let last = try #require(try await client.statuses(Self.first).entries.first)
            #expect(last["status"] as? Int == 2)
            let end = payload(try #require(last["signedRenewalInfo"] as? String))
            #expect(end["expirationIntent"] as? Int == 2 && end["gracePeriodExpiresDate"] == nil)
        }
    }

    private static func expectTransaction(_ transaction: [String: Any]) {
        #expect(transaction["transactionId"] as? String == first)
        #expect(transaction["originalTransactionId"] as? String == first)
        #expect(transaction["purchaseDate"] as? Int == 1_767_261_600_000)
        #expect(transaction["expiresDate"] as? Int == 1_769_940_000_000)
        #expect(transaction["signedDate"] as? Int == 1_770_249_600_000)
        #expect(transaction["price"] as? Int == 7_990 && transaction["currency"] as? String == "USD")
        #expect(transaction["storefront"] as? String == "USA")
        #expect(transaction["transactionReason"] as? String == "PURCHASE")
        #expect(transaction["environment"] as? String == "Production")
        #expect(transaction["inAppOwnershipType"] as? String == "PURCHASED")
        #expect(transaction["type"] as? String == "Auto-Renewable Subscription")
        #expect(transaction["webOrderLineItemId"] as? String == "500000000000001")
        #expect(transaction["revocationDate"] == nil && transaction["isUpgraded"] == nil)
    }

    @Test func `refunds and superseded rows say what they are`() async throws {
        let extents: [(Refund.Extent, String, Int?)] = [
            (.full, "REFUND_FULL", 100_000), (.prorated(percentage: 40_000), "REFUND_PRORATED", 40_000),
            (.familyRevoke, "FAMILY_REVOKE", nil),
        ]
        for (extent, name, percentage) in extents {
            let refund = Refund(at: instant("2026-01-10T15:00:00Z"), extent: extent, reason: 1)
            let life = Paper.life(Paper.january().with { $0.refund = refund })
            try await withStores(Paper.customers(life), clock: "2026-01-10T14:59:59Z") { stores, client in
                let before = try await client.history(Self.first).transactions.first
                #expect(before != nil && before?["revocationDate"] == nil)
                stores.setClock(instant("2026-01-10T15:00:00Z"))
                let after = try #require(try await client.history(Self.first).transactions.first)
                #expect(after["revocationDate"] as? Int == 1_768_057_200_000)
                #expect(after["revocationType"] as? String == name && after["revocationReason"] as? Int == 1)
                #expect(after["revocationPercentage"] as? Int == percentage)
                #expect(try await client.statuses(Self.first).statusByID == [Self.first: 5])
            }
        }
    }

    @Test func `history comes in pages of twenty, and then only what changed`() async throws {
        var life = SubscriptionLife(
            originalTransactionID: Self.first, groupID: "21000001", periods: (0..<25).map(Self.month))
        life.periods[23].refund = Refund(at: instant("2026-01-20T00:00:00Z"), extent: .full)
        try await withStores(Paper.customers(life), clock: "2026-01-05T00:00:00Z") { stores, client in
            let first = try await client.history("100000000000005")
            #expect(first.transactionIDs == (1...20).map { String(100_000_000_000_000 + $0) })
            #expect(first.hasMore == true)
            let second = try await client.history("100000000000005", revision: first.revision)
            #expect(second.transactionIDs == (21...25).map { String(100_000_000_000_000 + $0) })
            #expect(second.hasMore == false)
            let quiet = try await client.history("100000000000005", revision: second.revision)
            #expect(quiet.transactionIDs.isEmpty && quiet.hasMore == false && quiet.revision == second.revision)
            stores.setClock(instant("2026-01-21T00:00:00Z"))
            let changed = try await client.history("100000000000005", revision: quiet.revision)
            #expect(changed.transactionIDs == ["100000000000024"])
            #expect(changed.transactions.first?["revocationDate"] as? Int == 1_768_867_200_000)
            #expect(try await client.history("100000000000005", revision: changed.revision).transactionIDs.isEmpty)
            let spoiled = String((changed.revision ?? "").reversed())
            #expect(try await client.history("100000000000005", revision: spoiled).errorCode == 4_000_005)
        }
    }

    /// One of the months from 2024-01-01 10:00 on.
    private static func month(_ number: Int) -> Period {
        let start = CivilTime.adding(months: Int64(number), to: instant("2024-01-01T10:00:00Z"))
        return Paper.period(number + 1, "2024-01-01T10:00:00Z", "2024-02-01T10:00:00Z").with {
            ($0.createdAt, $0.purchasedAt, $0.expiresAt) = (start, start, CivilTime.adding(months: 1, to: start))
        }
    }

    @Test func `ids are refused by their own codes`() async throws {
        let tester = Paper.customers(Paper.life(Paper.january()), environment: .sandbox)
        try await withStores(tester, clock: "2026-01-05T00:00:00Z") { _, client in
            for answer in [try await client.statuses("not-an-id"), try await client.history("not-an-id")] {
                #expect(answer.status == 400 && answer.errorCode == 4_000_006)
            }
            for answer in [try await client.statuses("999"), try await client.history("999")] {
                #expect(answer.status == 404 && answer.errorCode == 4_040_010)
            }
            #expect(try await client.statuses(Self.first).errorCode == 4_040_010)
            let sandbox = try await client.statuses(Self.first, sandbox: true)
            #expect(sandbox.status == 200 && sandbox.json["environment"] as? String == "Sandbox")
            #expect(try await client.get("/inApps/v1/nothing/1").status == 404)
        }
    }

    @Test func `only a good token is let in`() async throws {
        try await withStores(Paper.customers(Self.renewing), clock: "2026-01-05T00:00:00Z") { stores, client in
            let path = "/inApps/v1/subscriptions/\(Self.first)"
            let other = "\(client.directory)/store-leaf.key"
            let spoilers: [(inout StoreClient.Token) -> Void] = [
                { $0.keyID = "OTHERKEY00" }, { $0.issuer = "someone" }, { $0.audience = "appstoreconnect-v2" },
                { $0.bundleID = "com.acme.other" }, { $0.life = -1 }, { $0.life = 3_700 }, { $0.algorithm = "HS256" },
                { $0.keyFile = other },
            ]
            for (number, spoil) in spoilers.enumerated() {
                var token = client.token
                spoil(&token)
                let answer = try await client.get(path, token: token)
                #expect(answer.status == 401 && answer.body.isEmpty, "spoiler \(number)")
            }
            #expect(stores.quotas.counters.unauthorized == spoilers.count)
            var longest = client.token
            longest.life = 3_590
            #expect(try await client.get(path, token: longest).status == 200)
        }
    }

    @Test func `HTTP/1.1 clients are served too`() async throws {
        try await withStores(Paper.customers(Self.renewing), clock: "2026-01-05T00:00:00Z") { stores, first in
            let client = try StoreClient(stores, app: Paper.app, directory: first.directory, version: .http1)
            let answer = try await client.statuses(Self.first)
            #expect(answer.status == 200 && answer.version == .http1 && answer.entries.count == 1)
            await client.http.shutdown()
        }
    }
}
