// SPDX-License-Identifier: Apache-2.0

/// `advancedCommerceInfo`: what was sold under names of the owner's own.
enum CommerceRow {
    /// Of a transaction: its items, and what was given back of each; nil where it was not sold by items.
    static func row(of period: Period, at now: Int64) -> WireObject? {
        guard period.commerce != nil else { return nil }
        return [
            "requestReferenceId": "5f2f0b0e-7a0b-4f2f-8b3a-0d9d5f8c1a11", "taxCode": "S021",
            "period": period.term.iso8601, "items": period.items(at: now).map(row(of:)),
        ]
    }

    private static func row(of item: Commerce.Item) -> WireObject {
        let refunds = item.givenBack.map { sum -> WireObject in
            [
                "refundAmount": sum.milliunits, "refundDate": sum.at.milliseconds, "refundReason": "OTHER",
                "refundType": sum.kind.rawValue,
            ]
        }
        return [
            "SKU": item.sku, "displayName": "Gold", "description": "Everything, for a month",
            "price": item.priceMilliunits, "refunds": refunds.isEmpty ? nil : refunds,
            "revocationDate": item.takenBackAt?.milliseconds,
        ]
    }

    /// Of a renewal: the items that are still held, the first of them under the name it renews into.
    static func renewal(of held: [Commerce.Item], into productID: String, isOn: Bool) -> WireObject {
        var rows = held.enumerated().map { place, item -> WireObject in
            ["SKU": place == 0 ? productID : item.sku, "price": isOn ? item.priceMilliunits : nil]
        }
        if rows.isEmpty { rows = [["SKU": productID]] }
        return ["items": rows]
    }
}
