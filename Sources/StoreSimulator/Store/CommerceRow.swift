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
    }

    struct Refund: Encodable {
        var refundAmount: Int64?
        var refundDate: Int64
        var refundReason = "OTHER"
        var refundType: String
    }

    var requestReferenceId = "5f2f0b0e-7a0b-4f2f-8b3a-0d9d5f8c1a11"
    var taxCode = "S021"
    var period: String
    var items: [Item]

    init?(_ sold: Period, at now: Int64) {
        guard let commerce = sold.commerce else { return nil }
        period = sold.term.iso8601
        var item = Item(SKU: sold.productID, price: sold.priceMilliunits)
        if let sum = commerce.givenBack(at: now) {
            item.refunds = [Refund(refundAmount: sum.value, refundDate: sum.at / 1_000, refundType: "CUSTOM")]
        }
        if let refund = sold.refund(at: now) {
            item.refunds = [
                Refund(refundAmount: sold.priceMilliunits, refundDate: refund.at / 1_000, refundType: "FULL")
            ]
            item.revocationDate = refund.at / 1_000
        }
        items = [item]
    }
}

/// `advancedCommerceInfo` of a renewal: what it renews into.
struct CommerceRenewalRow: Encodable {
    struct Item: Encodable {
        var SKU: String
        var price: Int64?
    }

    var items: [Item]
}
