// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// What was sold through the Advanced Commerce API: January, 7.99, under the owner's own name.
@Suite struct CommerceTests {
    private static let first = "100000000000001"

    private static func january(_ change: (inout Period) -> Void) -> SubscriptionLife {
        Paper.life(
            Paper.january().with {
                $0.commerce = Commerce(genericProductID: "com.acme.app.generic")
                change(&$0)
            })
    }

    /// 2.00 on the tenth: the month goes on.
    @Test func `a sum of an item stands in the item and takes nothing away`() async throws {
        let life = Self.january { $0.commerce?.givenBack = [.init(at: instant("2026-01-10T10:00:00Z"), 2_000)] }
        try await withStores(Paper.customers(life), clock: "2026-01-15T00:00:00Z") { stores, client in
            let rows = try await client.history(Self.first).transactions
            #expect(rows.compactMap { $0["productId"] as? String } == ["com.acme.app.generic"])
            #expect(rows.allSatisfy { $0["revocationDate"] == nil && $0["revocationPercentage"] == nil })
            let info = try #require(rows.first?["advancedCommerceInfo"] as? [String: Any])
            let item = try #require((info["items"] as? [[String: Any]])?.first)
            #expect(item["SKU"] as? String == Paper.monthly && item["revocationDate"] == nil)
            let refund = try #require((item["refunds"] as? [[String: Any]])?.first)
            #expect(refund["refundType"] as? String == "CUSTOM" && refund["refundAmount"] as? Int == 2_000)
            #expect(try await client.statuses(Self.first).statusByID == [Self.first: 1])
            for column in BookColumn.allCases {
                let booked = stores.books.transactions(column)
                #expect(booked.map(\.productID) == [Paper.monthly] && booked.map(\.refundKind) == [.partial])
                #expect(
                    stores.books.sold(column, through: "2026-01-14") == [
                        "2026-01-01 US USD charges 1 7990000 refunds 0 0",
                        "2026-01-10 US USD charges 0 0 refunds 1 2000000",
                    ])
                #expect(stores.books.states(column) == ["active"])
            }
        }
    }

    @Test func `a whole refund takes the item away`() async throws {
        let life = Self.january { $0.refund = Refund(at: instant("2026-01-10T10:00:00Z"), extent: .full, reason: 1) }
        try await withStores(Paper.customers(life), clock: "2026-01-15T00:00:00Z") { stores, client in
            let rows = try await client.history(Self.first).transactions
            #expect(rows.allSatisfy { $0["revocationDate"] == nil })
            let info = rows.first?["advancedCommerceInfo"] as? [String: Any]
            let item = try #require((info?["items"] as? [[String: Any]])?.first)
            #expect(item["revocationDate"] as? Int == 1_768_039_200_000)
            #expect(try await client.statuses(Self.first).statusByID == [Self.first: 5])
            #expect(stores.books.states(.disclosed) == ["revoked refund"])
        }
    }
}
