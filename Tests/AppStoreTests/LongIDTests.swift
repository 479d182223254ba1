// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import AppStore

/// An id that is too long to be part of a key: its row is set aside with the reason, and the rest of the answer is taken.
@Suite struct LongIDTests {
    /// 12,000 characters, as one answer showed them.
    private static let long = String(repeating: "gold.month.", count: 1_091).prefix(12_000).description

    @Test(arguments: ["productId", "transactionId", "webOrderLineItemId"])
    func `a signed row with an id of 12,000 characters is set aside, and its neighbour is booked`(field: String) throws
    {
        let good = Rows.transaction(["transactionId": "2003", "webOrderLineItemId": "9003"])
        var bad = Rows.transaction(["transactionId": "2004", "webOrderLineItemId": "9004"])
        bad[field] = Self.long
        let history = try Rows.history([good, bad], revision: "r")
        let reading = try Acme.read(try Rows.statuses(), history: [history])
        #expect(reading.observations.first?.periods.map(\.transactionID).sorted() == ["2002", "2003"])
        let refused = try #require(reading.setAside.first)
        #expect(reading.setAside.count == 1 && refused.reason == "id_too_long")
        #expect(refused.detail == "\(field) is 12000 characters long; at most 300 are taken.")
        #expect(refused.transactionID == (field == "transactionId" ? Self.long : "2004"))
        // The answer itself is archived.
        #expect(reading.archive.contains { $0.endpoint == "history" })
    }

    @Test func `the state of a subscription with such a product is taken, without the product`() throws {
        let reading = try Acme.read(try Rows.statuses(Rows.transaction(["productId": Self.long])))
        let observation = try #require(reading.observations.first)
        #expect(observation.status?.state == .active && observation.status?.productID == nil)
        #expect(observation.periods.isEmpty)
        #expect(reading.setAside.map(\.reason) == ["id_too_long"])
    }

    @Test func `300 characters are taken, whatever each is made of`() throws {
        let longest = String(repeating: "\u{1F600}", count: 300)
        let reading = try Acme.read(try Rows.statuses(Rows.transaction(["productId": longest])))
        #expect(reading.observations.first?.periods.map(\.productID) == [longest])
        let longer = try Acme.read(try Rows.statuses(Rows.transaction(["productId": longest + "x"])))
        #expect(longer.setAside.map(\.detail) == ["productId is 301 characters long; at most 300 are taken."])
    }

    @Test func `an item with such a name sets its transaction aside, and is no product of the subscription`() throws {
        let items = [["SKU": "math", "price": 7_000], ["SKU": Self.long, "price": 3_000]] as [[String: any Sendable]]
        let row = Rows.transaction(["advancedCommerceInfo": ["items": items] as [String: any Sendable]])
        let reading = try Acme.read(try Rows.statuses(row))
        #expect(reading.setAside.map(\.detail) == ["SKU is 12000 characters long; at most 300 are taken."])
        #expect(reading.observations.first?.items?.map(\.productID) == ["math"])
        #expect(reading.observations.first?.periods.isEmpty == true)
    }

    @Test(arguments: ["product_id", "transaction_id", "web_order_line_item_id", "original_transaction_id"])
    func `a receipt's row with such an id is set aside, and its neighbour is booked`(field: String) throws {
        let second = ["transaction_id": "12", "web_order_line_item_id": "92"]
        let long = ReceiptRows.ended(second.merging([field: Self.long]) { $1 })
        let reading = try ReceiptRows.read([ReceiptRows.row(), long])
        #expect(reading.observations.flatMap(\.periods).map(\.transactionID) == ["11"])
        #expect(reading.setAside.map(\.detail) == ["\(field) is 12000 characters long; at most 300 are taken."])
    }
}
