// SPDX-License-Identifier: Apache-2.0

/// `advancedCommerceInfo` of a transaction: its items, and what was given back of each.
struct CommerceRow: Encodable {
    struct Item: Encodable {
        var SKU: String
        var displayName = "Gold"
        var description = "Everything, for a month"
        var price: Int64?
        var refunds: [Refund]?
        var revocationDate: Int64?

        init(_ item: Commerce.Item) {
            SKU = item.sku
            price = item.priceMilliunits
            refunds = item.givenBack.isEmpty ? nil : item.givenBack.map(Refund.init)
            revocationDate = item.takenBackAt.map { $0 / 1_000 }
        }
    }

    struct Refund: Encodable {
        var refundAmount: Int64?
        var refundDate: Int64
        var refundReason = "OTHER"
        var refundType: String

        init(_ sum: Commerce.Sum) {
            refundAmount = sum.milliunits
            refundDate = sum.at / 1_000
            refundType = sum.kind.rawValue
        }
    }

    var requestReferenceId = "5f2f0b0e-7a0b-4f2f-8b3a-0d9d5f8c1a11"
    var taxCode = "S021"
    var period: String
    var items: [Item]

    init?(_ sold: Period, at now: Int64) {
        guard sold.commerce != nil else { return nil }
        period = sold.term.iso8601
        items = sold.items(at: now).map(Item.init)
    }
}

/// `advancedCommerceInfo` of a renewal: what it renews into.
struct CommerceRenewalRow: Encodable {
    struct Item: Encodable {
        var SKU: String
        var price: Int64?
    }

    var items: [Item]

    /// The items that are still held, the first of them under the name it renews into.
    init(_ held: [Commerce.Item], renewingInto productID: String, isOn: Bool) {
        let first = Item(SKU: productID, price: isOn ? held.first?.priceMilliunits : nil)
        items = [first] + held.dropFirst().map { Item(SKU: $0.sku, price: isOn ? $0.priceMilliunits : nil) }
    }
}
