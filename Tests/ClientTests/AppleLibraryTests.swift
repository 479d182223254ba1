// SPDX-License-Identifier: Apache-2.0

import StoreSimulator
import TestSupport
import Testing

/// Apple's `app-store-server-library` reads the simulated App Store and verifies its signatures.
@Suite(.hangLimit) struct AppleLibraryTests {
    private struct Given: Encodable {
        let base_url, key_file, key_id, issuer_id, bundle_id, app_apple_id, root_file: String
        let ids: [String]
        let from_ms, until_ms: Int64
    }

    private struct Reported: Decodable {
        struct Transaction: Decodable, Equatable {
            let product: String
            let expires: Int64?
            let price: Int64?
            let currency: String?
            let revoked: Int64?
            let upgraded: Bool
        }

        let statuses: Int
        let transactions: [String: Transaction]
        let unread: [String]
        /// Period keys of what refund history lists, and of what REFUND notifications were about.
        let refunded, notified_refunds: [String]
        /// Types by notification id.
        let notifications: [String: String]
    }

    @Test func `Apple's library verifies every row and reads what the simulated store's books say`() async throws {
        let app = SimulatedApp.server(id: "acme-ios", bundleID: "com.acme.app", hasNotificationURL: true)
        try await ClientWorld.with(app, customers: 75) { world in
            let ids = world.bought
            let reported: Reported = try await PythonProgram.run(
                "ClientTests/Clients/app_store.py",
                given: Given(
                    base_url: world.stores.baseURL, key_file: try world.setting("private_key_file"),
                    key_id: try world.setting("key_id"), issuer_id: try world.setting("issuer_id"),
                    bundle_id: try world.setting("bundle_id"), app_apple_id: try world.setting("app_apple_id"),
                    root_file: try world.setting("root_certificate_file"), ids: ids,
                    from_ms: Self.windowStart / 1_000, until_ms: ClientWorld.now / 1_000),
                environment: ["REQUESTS_CA_BUNDLE": world.authority])
            #expect(reported.unread == [])
            #expect(ids.count > 40 && reported.statuses >= ids.count)
            let booked = world.stores.books.transactions(.disclosed).filter { $0.environment == .production }
            #expect(Set(reported.transactions.keys) == Set(booked.map(\.transactionID)))
            for row in booked {
                #expect(
                    reported.transactions[row.transactionID]
                        == Reported.Transaction(
                            product: row.productID, expires: row.kind == .oneTime ? nil : row.periodEnd / 1_000,
                            price: row.priceMicros.map { $0 / 1_000 }, currency: row.currency,
                            revoked: row.refundedAt.map { $0 / 1_000 }, upgraded: row.isUpgraded))
            }
            try Self.expectRefunds(in: reported, booked)
        }
    }

    /// 179 days before now: the store refuses what is older.
    private static let windowStart = ClientWorld.now - 179 * CivilTime.day

    /// What refund history lists are the refunds of the books, and each of them was notified in its time.
    private static func expectRefunds(in reported: Reported, _ booked: [BookedTransaction]) throws {
        let refunded = booked.filter { $0.refundedAt != nil && $0.refundKind != .revoke }
        #expect(refunded.count > 5 && reported.refunded == refunded.map(\.periodKey).sorted())
        let recent = refunded.filter { ($0.refundedAt ?? .min) > windowStart }.map(\.periodKey)
        #expect(Set(recent).isSubset(of: reported.notified_refunds))
        let types = Dictionary(grouping: reported.notifications.values) { $0 }.mapValues(\.count)
        #expect(types.count > 10 && types["REFUND", default: 0] == reported.notified_refunds.count, "\(types)")
        // A subscription of that time was bought once, and is heard of at least then.
        let first = booked.filter { $0.kind != .oneTime && $0.purchasedAt > windowStart }
        let bought = Set(first.filter { $0.kind == .trial || $0.kind == .purchase }.map(\.originalTransactionID))
        #expect(types["SUBSCRIBED", default: 0] > bought.count * 3 / 4, "\(types)")
    }
}
