// SPDX-License-Identifier: Apache-2.0

/// A transaction as the App Store Server API signs it.
enum TransactionRow {
    /// What the store shows at its clock; what is sold once has no line item, no group and no end.
    static func row(
        of purchase: AppStorePurchase, by customer: CustomerLife, in app: SimulatedApp, at now: Int64
    ) -> WireObject {
        let period = purchase.period
        var row: WireObject = [
            "bundleId": app.bundleID, "signedDate": now.milliseconds, "environment": customer.environment.storeName,
            "storefront": customer.market.alpha3, "storefrontId": customer.market.storefrontNumber,
            "transactionId": period.transactionID(at: now), "originalTransactionId": purchase.originalTransactionID,
            "purchaseDate": period.purchasedAt.milliseconds, "quantity": period.quantity,
            "originalPurchaseDate": purchase.firstPurchasedAt.milliseconds, "price": period.priceMilliunits,
            "inAppOwnershipType": purchase.ownership.storeName, "transactionReason": period.reason.rawValue,
        ]
        row["productId"] = period.commerce?.genericProductID ?? period.productID
        row["type"] = period.soldOnce?.rawValue ?? "Auto-Renewable Subscription"
        row["currency"] = period.priceMilliunits.map { _ in customer.market.currency }
        if let offer = period.offer { note(offer, in: &row) }
        // What was sold by items is given back by items.
        if period.commerce == nil, let refund = period.refund(at: now) { note(refund, in: &row) }
        if let life = purchase.life { note(life, period, at: now, in: &row) }
        // StoreKit's names; how the server spells them is not published.
        if let bundle = purchase.bundleTransactionID, let life = purchase.life {
            row.add(["bundleTransactionId": bundle, "bundleOriginalTransactionId": life.includedIn?.first])
        }
        if purchase.life?.isBundle == true {
            row["type"] = "Subscription Bundle"
            row.add([
                "bundleTransactionId": period.transactionID,
                "bundleOriginalTransactionId": purchase.originalTransactionID,
            ])
        }
        return row
    }

    /// What only the period of a subscription has.
    private static func note(_ life: SubscriptionLife, _ period: Period, at now: Int64, in row: inout WireObject) {
        row.add([
            "webOrderLineItemId": period.lineItemID, "subscriptionGroupIdentifier": life.groupID,
            "expiresDate": period.statedEnd(at: now).milliseconds,
            "previousOriginalTransactionId": life.bundle?.replaces,
            "bundleProductId": life.bundle?.productID, "advancedCommerceInfo": CommerceRow.row(of: period, at: now),
        ])
        if let upgradedAt = period.upgradedAt, upgradedAt <= now { row["isUpgraded"] = true }
        if let commitment = period.commitment { note(commitment, in: &row) }
        if let seats = period.seats {
            note(seats, isTakenBack: period.refund(at: now) != nil, of: life, at: now, in: &row)
        }
    }

    /// So many seats at one price, as the store spells them.
    static func tiers(of seats: Seats) -> [WireObject] {
        seats.tiers.map { ["tierPrice": $0.priceMilliunits, "tierQuantity": $0.quantity] }
    }

    private static func note(_ offer: Offer, in row: inout WireObject) {
        row["offerType"] = offer.kind.rawValue
        row["offerIdentifier"] = offer.identifier
        row["offerDiscountType"] = offer.discount.rawValue
        if offer.discount != .oneTime { row["offerPeriod"] = offer.term.iso8601 }
    }

    private static func note(_ refund: Refund, in row: inout WireObject) {
        row["revocationDate"] = refund.at.milliseconds
        row["revocationReason"] = refund.reason
        row["revocationType"] = refund.storeName
        if case .prorated(let percentage) = refund.extent { row["revocationPercentage"] = percentage }
        if refund.extent == .full { row["revocationPercentage"] = 100_000 }
    }

    /// The part of a plan that is paid by the month.
    private static func note(_ commitment: Commitment, in row: inout WireObject) {
        row["billingPlanType"] = "MONTHLY"
        let info: WireObject = [
            "billingPeriodNumber": commitment.number, "totalBillingPeriods": Commitment.months,
            "commitmentExpiresDate": commitment.expiresAt.milliseconds,
            "commitmentPrice": commitment.priceMilliunits,
        ]
        row["commitmentInfo"] = info
    }

    /// The price becomes the average of a seat; only the purchaser's row says what was given back.
    private static func note(
        _ seats: Seats, isTakenBack: Bool, of life: SubscriptionLife, at now: Int64, in row: inout WireObject
    ) {
        let revoked = isTakenBack ? seats.count : seats.givenBack(at: now)?.value
        row["quantity"] = seats.count
        row["price"] = seats.averageMilliunits
        let info: WireObject = [
            "invitationManagement": seats.invitations.rawValue, "priceTiers": tiers(of: seats),
            "revokedSeatQuantity": life.ownership == .purchased ? revoked : nil,
        ]
        row["multiSeatInfo"] = info
        row["additionalTransactionReason"] = seats.isOneOfSeveral(at: now) ? "SEAT_ADDITION" : nil
    }
}
