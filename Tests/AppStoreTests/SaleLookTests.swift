// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import TestSupport
import Testing

@testable import AppStore

/// One-time sales that are looked at again, in apps whose notifications cannot be read.
///
/// facts/app-store.md: Get Transaction Info, verifyReceipt.
@Suite(.hangLimit) struct SaleLookTests {
    private static var changes: [String: Any?] {
        [
            "transactionId": "4001", "originalTransactionId": "4001", "webOrderLineItemId": nil, "productId": "coins",
            "type": "Consumable", "expiresDate": nil, "subscriptionGroupIdentifier": nil,
        ]
    }

    private static func sale(_ id: String = "4001", receipt: Receipt? = nil) -> DueSubscription {
        let key = SubscriptionKey(appID: AppID("acme-ios"), storeKey: id)
        return DueSubscription(
            key: key, lineageKey: key, appID: AppID("acme-ios"), storeKey: Secret(id), environment: .production,
            accountID: nil, productID: "coins", country: nil, snapshot: SubscriptionSnapshot(), historyCursor: nil,
            receipt: receipt,
            known: [
                KnownPeriod(
                    PeriodFacts(
                        transactionID: id, periodKey: id, productID: "coins",
                        purchasedAt: Instant(milliseconds: Rows.march), start: Instant(milliseconds: Rows.march),
                        end: nil), kind: .oneTime)
            ], isSale: true)
    }

    @Test func `a sale is looked at by its transaction alone, and its refund is read`() async throws {
        let refunded = Rows.transaction(
            Self.changes.merging(["revocationDate": Rows.signed - 1_000, "revocationReason": 1] as [String: Any?]) {
                $1
            })
        let info = try ServerTalk.info(refunded)
        let (result, paths, store) = try await ServerTalk.ask(Self.sale()) { _, _ in .init(200, info) }
        #expect(paths == ["/inApps/v1/transactions/4001"])
        let reading = try store.read(try result.get())
        #expect(reading.setAside.isEmpty && reading.observations.count == 1)
        let sale = try #require(reading.observations.first)
        #expect(sale.storeKey == Secret("4001") && sale.status == nil)
        #expect(sale.periods.map(\.isAutoRenewable) == [false])
        #expect(sale.periods.map { $0.refund?.at } == [Instant(milliseconds: Rows.signed - 1_000)])
    }

    @Test func `one that the store does not know is looked for in the sandbox, and nowhere else`() async throws {
        let (result, paths, _) = try await ServerTalk.ask(Self.sale()) { _, _ in ServerTalk.unknown }
        #expect(paths == ["/inApps/v1/transactions/4001", "/sandbox/inApps/v1/transactions/4001"])
        guard case .failure(let failure) = result else {
            Issue.record("an unknown transaction was answered for")
            return
        }
        #expect(failure.kind == .notFound)
    }

    /// Asked once for all that is read from it; a sale that was used up is in it no more, and nothing is set aside for that.
    @Test func `in apps read by receipts it is looked at by its receipt`() throws {
        let receipt = Receipt(id: 7, data: Secret("r"))
        let store = try Acme.receipts().store(clock: { Acme.now })
        let subscription = Acme.due("1000000000000001", receipt: receipt)
        let inquiries = store.inquiries(for: [subscription, Self.sale(receipt: receipt), Self.sale("4002")])
        #expect(inquiries.map { $0.subscriptions.map(\.isSale) } == [[false, true], [true]])
    }
}
