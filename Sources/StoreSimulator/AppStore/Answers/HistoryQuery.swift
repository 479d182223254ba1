// SPDX-License-Identifier: Apache-2.0

/// What a reader wants to see of a history.
struct HistoryQuery {
    /// The store's names of the types of products, as the query spells them.
    private static let types = [
        "AUTO_RENEWABLE": "Auto-Renewable Subscription", "NON_RENEWABLE": SaleKind.nonRenewing.rawValue,
        "CONSUMABLE": SaleKind.consumable.rawValue, "NON_CONSUMABLE": SaleKind.nonConsumable.rawValue,
    ]

    let request: StoreRequest

    var revision: String? { request.query["revision"] }
    private var sort: String? { request.query["sort"] }
    private var revoked: String? { request.query["revoked"] }
    private var productTypes: [String] { request.values(of: "productType") }

    var isDescending: Bool { sort == "DESCENDING" }

    /// What is wrong with it, by the store's own codes.
    var failure: AppStoreFailure? {
        if let sort, !["ASCENDING", "DESCENDING"].contains(sort) { return .invalidSort }
        if productTypes.contains(where: { Self.types[$0] == nil }) { return .invalidProductType }
        if let revoked, !["true", "false"].contains(revoked) { return .invalidRevoked }
        return nil
    }

    func wants(_ purchase: AppStorePurchase, at now: Int64) -> Bool {
        if let revoked, (revoked == "true") != (purchase.period.refund(at: now) != nil) { return false }
        let (productIDs, groups) = (request.values(of: "productId"), request.values(of: "subscriptionGroupIdentifier"))
        let type = purchase.period.soldOnce?.rawValue ?? "Auto-Renewable Subscription"
        return (productIDs.isEmpty || productIDs.contains(purchase.period.productID))
            && (groups.isEmpty || purchase.life.map { groups.contains($0.groupID) } ?? false)
            && (productTypes.isEmpty || productTypes.contains { Self.types[$0] == type })
    }
}
