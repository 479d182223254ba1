// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension TransactionPayload {
    /// The same on every device and after every restore, unlike the transaction id.
    var periodKey: String? { webOrderLineItemID ?? transactionID }

    /// Others make up its period with it, seats that were added to it.
    var isOneOfSeveral: Bool { additionalReason != nil }

    /// What every store's rows share.
    ///
    /// Unknown values are counted and left out, never a reason to lose the row.
    func period(answeredAt: Instant?, unknownValues: inout UnknownValueCounts) throws(RowRefusal) -> ObservedPeriod {
        guard let transactionID, let periodKey else { throw .missing("transactionId") }
        guard let originalTransactionID else { throw .missing("originalTransactionId") }
        guard let productID else { throw .missing("productId") }
        try RowRefusal.checkLength(of: [
            "transactionId": transactionID, "webOrderLineItemId": webOrderLineItemID,
            "originalTransactionId": originalTransactionID, "productId": productID,
        ])
        guard let purchasedAt = Instant(storeMilliseconds: purchaseDate) else { throw .missing("purchaseDate") }
        guard let version = Instant(storeMilliseconds: signedDate) ?? answeredAt else { throw .missing("signedDate") }
        let end = Instant(storeMilliseconds: expiresDate)
        let isAutoRenewable = isAutoRenewable(&unknownValues)
        guard end != nil || !isAutoRenewable else { throw .missing("expiresDate") }
        unknownValues.note(fields: unknownFields, of: "transaction")
        let money = money(&unknownValues)
        let ownership = owner(&unknownValues)
        noteUnknownReason(&unknownValues)
        return ObservedPeriod(
            PeriodFacts(
                transactionID: transactionID, periodKey: periodKey, productID: productID, purchasedAt: purchasedAt,
                start: purchasedAt, end: end, offerType: offer(&unknownValues), offerID: offerIdentifier,
                country: country(&unknownValues), seats: seats(ownership), isUpgraded: isUpgraded ?? false,
                priceMicros: money?.micros, currency: money?.currency),
            SaleFacts(
                originalTransactionID: originalTransactionID, subscriptionGroup: subscriptionGroup,
                ownership: ownership, quantity: quantity ?? 1, priceSource: money == nil ? .missing : .storePrice,
                taxMicros: money == nil ? nil : taxMicros, bundleTransactionID: includedIn,
                sourceVersion: version),
            isAutoRenewable: isAutoRenewable, isFreeOffer: isFreeOffer(&unknownValues),
            isAdditional: isOneOfSeveral,
            refund: refund(ownership, readAt: answeredAt ?? version, &unknownValues),
            hint: hint(&unknownValues),
            isOfUnknownCountry: storefront.map { CountryCode.alpha2(fromAlpha3: $0) == nil } ?? false)
    }

    private func isAutoRenewable(_ unknownValues: inout UnknownValueCounts) -> Bool {
        switch type {
        case "Auto-Renewable Subscription": return true
        case .some(let type) where Self.isBundle(type): return true
        case "Non-Consumable", "Consumable", "Non-Renewing Subscription": return false
        default:
            unknownValues.note("transaction.type=\(type ?? "")")
            return expiresDate != nil
        }
    }

    /// StoreKit's words for a bundle and a suite; how the server spells them is not published.
    private static func isBundle(_ type: String) -> Bool {
        ["subscriptionbundle", "subscriptionsuite"].contains(type.lowercased().filter(\.isLetter))
    }

    /// In old data only a price of zero marks a free trial.
    private func isFreeOffer(_ unknownValues: inout UnknownValueCounts) -> Bool {
        switch offerDiscountType {
        case "FREE_TRIAL": return true
        case "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME": return false
        case nil: return offerType == 1 && price == 0
        case .some(let unknown):
            unknownValues.note("transaction.offerDiscountType=\(unknown)")
            return false
        }
    }

    private func offer(_ unknownValues: inout UnknownValueCounts) -> OfferType? {
        switch offerType {
        case nil:
            guard offerIdentifier != nil || offerDiscountType != nil else { return nil }
            unknownValues.note("transaction.offerType missing beside an offer")
            return .other
        case 1: return .introductory
        case 2: return .promotional
        case 3: return .code
        case 4: return .winBack
        case 5: return .retention
        case .some(let unknown):
            unknownValues.note("transaction.offerType=\(unknown)")
            return .other
        }
    }

    /// Members of a group carry the purchaser's quantity: the seats are the purchaser's alone.
    ///
    /// A row that was taken back has none left, whatever count of them it shows.
    private func seats(_ ownership: Ownership) -> Int64? {
        guard ownership == .purchased, multiSeat != nil else { return nil }
        return revocation(ownership) == nil ? remainingSeats : 0
    }

    /// Those that were not given back one by one; nil for what is no group's.
    var remainingSeats: Int64? { multiSeat.map { max(0, (quantity ?? 1) - max(0, $0.revokedSeats ?? 0)) } }

    private func noteUnknownReason(_ unknownValues: inout UnknownValueCounts) {
        guard let additionalReason, additionalReason != "SEAT_ADDITION" else { return }
        unknownValues.note("transaction.additionalTransactionReason=\(additionalReason)")
    }

    private func country(_ unknownValues: inout UnknownValueCounts) -> String? {
        guard let storefront else { return nil }
        let code = CountryCode.alpha2(fromAlpha3: storefront)
        if code == nil { unknownValues.note("transaction.storefront=\(storefront)") }
        return code
    }

    private func hint(_ unknownValues: inout UnknownValueCounts) -> ObservedPeriod.Hint? {
        switch reason {
        case nil: return nil
        case "PURCHASE": return .purchase
        case "RENEWAL": return .renewal
        case .some(let unknown):
            unknownValues.note("transaction.transactionReason=\(unknown)")
            return nil
        }
    }

    /// Of seats the row's price is the average of one, and so is the tax in it.
    private var taxMicros: Int64? {
        guard let tax = price.flatMap({ advancedCommerce?.taxMicros(in: $0) }) else { return nil }
        guard multiSeat != nil else { return tax }
        let (all, isTooMuch) = tax.multipliedReportingOverflow(by: quantity ?? 1)
        return isTooMuch ? nil : all
    }

    /// Of seats it is the sum of their tiers: the row's own price is the average of one.
    private var priceMicros: Int64? {
        multiSeat.map(\.totalMicros) ?? price.flatMap(Money.micros(milliunits:))
    }

    /// A price is worth nothing without its currency, and a negative one is none: then neither is known, which is not 0.
    private func money(_ unknownValues: inout UnknownValueCounts) -> (micros: Int64, currency: String)? {
        guard includedIn == nil, price != nil || multiSeat != nil else { return nil }
        guard let micros = priceMicros, micros >= 0, let currency, Money.isCurrencyCode(currency)
        else {
            unknownValues.note("transaction.price without meaning")
            return nil
        }
        return (micros, currency)
    }
}
