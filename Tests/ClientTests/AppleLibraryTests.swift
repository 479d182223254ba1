// SPDX-License-Identifier: Apache-2.0

import StoreSimulator
import Testing

/// Apple's `app-store-server-library` reads the simulated App Store and verifies its signatures.
@Suite(.timeLimit(.minutes(5))) struct AppleLibraryTests {
    private struct Given: Encodable {
        let base_url, key_file, key_id, issuer_id, bundle_id, app_apple_id, root_file: String
        let ids: [String]
    }

    private struct Told: Decodable {
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
    }

    @Test("Apple's library verifies every row and reads what the simulated store's books say")
    func readsTheBooks() async throws {
        let app = SimulatedApp.server(id: "acme-ios", bundleID: "com.acme.app")
        try await ClientWorld.with(app, customers: 60) { world in
            let ids = world.bought
            let told: Told = try await PythonClient.run(
                "app_store.py",
                given: Given(
                    base_url: world.stores.baseURL, key_file: try world.setting("private_key_file"),
                    key_id: try world.setting("key_id"), issuer_id: try world.setting("issuer_id"),
                    bundle_id: try world.setting("bundle_id"), app_apple_id: try world.setting("app_apple_id"),
                    root_file: try world.setting("root_certificate_file"), ids: ids),
                authority: world.authority)
            #expect(told.unread == [])
            #expect(ids.count > 40 && told.statuses >= ids.count)
            let booked = world.stores.books.transactions(.revealed).filter { $0.environment == .production }
            #expect(Set(told.transactions.keys) == Set(booked.map(\.transactionID)))
            for row in booked {
                #expect(
                    told.transactions[row.transactionID]
                        == Told.Transaction(
                            product: row.productID, expires: row.periodEnd / 1_000,
                            price: row.priceMicros.map { $0 / 1_000 }, currency: row.currency,
                            revoked: row.refundedAt.map { $0 / 1_000 }, upgraded: row.isUpgraded))
            }
        }
    }
}
