// SPDX-License-Identifier: Apache-2.0

/// What a reader wants to see of a history.
struct HistoryQuery {
    /// The store's names of the types of products, as the query spells them.
    private static let types = [
        "AUTO_RENEWABLE": "Auto-Renewable Subscription", "NON_RENEWABLE": OneTimeSale.Kind.nonRenewing.rawValue,
        "CONSUMABLE": OneTimeSale.Kind.consumable.rawValue, "NON_CONSUMABLE": OneTimeSale.Kind.nonConsumable.rawValue,
    ]

    let revision: String?
    private let sort: String?
    private let revoked: String?
    private let productIDs: [String]
    private let productTypes: [String]
    private let groups: [String]

    init(_ request: Desk.Request) {
        revision = request.query["revision"]
        sort = request.query["sort"]
        revoked = request.query["revoked"]
        productIDs = request.values(of: "productId")
        productTypes = request.values(of: "productType")
        groups = request.values(of: "subscriptionGroupIdentifier")
    }

    var isDescending: Bool { sort == "DESCENDING" }

    /// What is wrong with it, by the store's own codes.
    var failure: ServerAnswers.Failure? {
        if let sort, !["ASCENDING", "DESCENDING"].contains(sort) { return .invalidSort }
        if productTypes.contains(where: { Self.types[$0] == nil }) { return .invalidProductType }
        if let revoked, !["true", "false"].contains(revoked) { return .invalidRevoked }
        return nil
    }

    func wants(_ purchase: Shown, at now: Int64) -> Bool {
        if let revoked, (revoked == "true") != (purchase.refund(at: now) != nil) { return false }
        let (product, group, type) =
            switch purchase {
            case .period(let life, let index):
                (life.periods[index].productID, life.groupID as String?, "Auto-Renewable Subscription")
            case .sale(let sale): (sale.productID, nil, sale.kind.rawValue)
            }
        return (productIDs.isEmpty || productIDs.contains(product))
            && (groups.isEmpty || group.map(groups.contains) ?? false)
            && (productTypes.isEmpty || productTypes.contains { Self.types[$0] == type })
    }
}
