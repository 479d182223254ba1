// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension ReceiptRow {
    /// The transaction of the bundle that includes this row; nil for what was bought by itself, and for a bundle's own row.
    var includedIn: String? { bundle?.transaction(including: transactionID, of: originalTransactionID) }

    /// A bundle took its place.
    var gaveWayToBundle: Bool {
        cancellationReason.map { Revocation(type: nil, reason: $0, ownership: .purchased) } == .replacement
    }

    /// What every store's rows share.
    ///
    /// A receipt knows neither price, currency nor country.
    func period(sourceVersion: Instant, unknownValues: inout UnknownValueCounts) throws(RowRefusal) -> ObservedPeriod {
        guard let transactionID, let periodKey else { throw .missing("transaction_id") }
        guard let productID else { throw .missing("product_id") }
        try RowRefusal.checkLength(of: [
            "transaction_id": transactionID, "web_order_line_item_id": periodKey,
            "original_transaction_id": originalTransactionID, "product_id": productID,
        ])
        guard let purchasedAt = try instant(purchaseDate, named: "purchase_date", &unknownValues) else {
            throw .missing("purchase_date")
        }
        let end = try instant(expiresDate, named: "expires_date", &unknownValues)
        let cancelledAt = try instant(cancellationDate, named: "cancellation_date", &unknownValues)
        unknownValues.note(fields: unknownFields, of: "receipt_row")
        let reported = Ownership(appStoreName: ownership, of: "receipt_row.in_app_ownership_type", &unknownValues)
        let ownership = includedIn == nil ? reported : .assigned
        return ObservedPeriod(
            PeriodFacts(
                transactionID: transactionID, periodKey: periodKey, productID: productID, purchasedAt: purchasedAt,
                start: purchasedAt, end: end, offerType: offerType, offerID: promotionalOfferID ?? offerCodeName,
                isUpgraded: isUpgraded),
            SaleFacts(
                originalTransactionID: originalTransactionID ?? transactionID, subscriptionGroup: subscriptionGroup,
                ownership: ownership, quantity: quantity ?? 1, priceSource: .missing, bundleTransactionID: includedIn,
                sourceVersion: sourceVersion),
            isAutoRenewable: end != nil, isFreeOffer: isTrial,
            refund: refund(at: cancelledAt, ownership, &unknownValues))
    }

    private func instant(
        _ date: ReceiptDate, named name: String, _ unknownValues: inout UnknownValueCounts
    ) throws(RowRefusal) -> Instant? {
        if date.isUnreadable { throw .missing(name) }
        var pacificDisagrees = false
        do throws(ReceiptDate.Contradiction) {
            let instant = try date.instant(pacificDisagrees: &pacificDisagrees)
            if pacificDisagrees { unknownValues.note("receipt_row.\(name)_pst disagrees") }
            return instant
        } catch {
            throw RowRefusal(
                reason: "dates_disagree", detail: "The forms of \(name) disagree by more than a second.")
        }
    }

    private var offerType: OfferType? {
        if promotionalOfferID != nil { return .promotional }
        if offerCodeName != nil { return .code }
        return isTrial || isInIntroductoryOffer ? .introductory : nil
    }

    /// A superseded row is "cancelled" by its upgrade: the store credits the rest of it and does not report the amount.
    private func refund(
        at cancelledAt: Instant?, _ ownership: Ownership, _ unknownValues: inout UnknownValueCounts
    ) -> ObservedPeriod.Refund? {
        guard let cancelledAt, !isUpgraded else { return nil }
        if let cancellationReason, !Revocation.isDocumented(reason: cancellationReason) {
            unknownValues.note("receipt_row.cancellation_reason=\(cancellationReason)")
        }
        let revocation = Revocation(type: nil, reason: cancellationReason, ownership: ownership)
        return ObservedPeriod.Refund(at: cancelledAt, kind: revocation.movesMoney ? .full : .revoke)
    }
}
