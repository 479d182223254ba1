// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// A subscription's status with the verified rows beside it; a row that was not taken is nil.
struct StatusEntry {
    let status: Int64?
    let originalTransactionID: String?
    let transaction: TransactionPayload?
    let renewal: RenewalPayload?

    /// The store's word for the state; nil for a number it invented, and where its own row could not be believed.
    ///
    /// A revocation of the current transaction ends the access whatever else is said; of one of several that make up the
    /// period it ends nothing while the status does not say so.
    func observed(answeredAt: Instant?, unknownValues: inout UnknownValueCounts) -> ObservedStatus {
        let state = transaction == nil ? nil : state(&unknownValues)
        let terms = terms(of: state)
        let autoRenew = terms?.autoRenew(&unknownValues)
        return ObservedStatus(
            state: state, raw: status.map { String($0) }, productID: productID,
            autoRenew: autoRenew, autoRenewProductID: renewal?.skus.first ?? renewal?.autoRenewProductID,
            expiresAt: [Instant(storeMilliseconds: transaction?.expiresDate), extendedUntil].compactMap(\.self).max(),
            graceExpiresAt: Instant(storeMilliseconds: renewal?.gracePeriodExpiresDate),
            endReason: endReason(state, &unknownValues),
            revokedAt: state == .revoked || state == .expired && gaveWay
                ? Instant(storeMilliseconds: revocationDate) : nil,
            committedUntil: terms?.committedUntil, isCommitted: transaction?.isCommitted,
            renewalPrice: terms?.price(&unknownValues),
            sourceVersion: version ?? answeredAt ?? .distantPast)
    }

    /// Where the next renewal lies beyond the expiry of the row while the subscription is active: the store extended it.
    var extendedUntil: Instant? {
        guard status == 1, !isRevoked, let expiry = transaction?.expiresDate, let renewal = renewal?.renewalDate,
            renewal > expiry
        else { return nil }
        return Instant(storeMilliseconds: renewal)
    }

    /// The owner's own name of what was sold, the dearest that is still held, where it was sold by items.
    ///
    /// Nil where it is too long to be one: its row is set aside for that.
    private var productID: String? {
        let items = transaction?.advancedCommerce?.named ?? []
        let owned = items.filter { $0.revocationDate == nil }
        let dearest = (owned.isEmpty ? items : owned).max { ($0.price ?? 0) < ($1.price ?? 0) }?.sku
        return (dearest ?? transaction?.productID).flatMap { KeyText.fits($0) ? $0 : nil }
    }

    /// The items, where several were sold as one subscription; empty for a single one, nil for what was not sold by
    /// items.
    ///
    /// One that was taken back is among them, with its instant.
    var items: [SubscriptionItem]? {
        guard let transaction, let sold = transaction.advancedCommerce?.named, !sold.isEmpty else { return nil }
        guard sold.count > 1 else { return [] }
        return sold.compactMap { item in
            item.sku.flatMap { sku in KeyText.fits(sku) ? sku : nil }.map { sku in
                SubscriptionItem(
                    productID: sku, expiresAt: Instant(storeMilliseconds: transaction.expiresDate),
                    autoRenew: renewal.map { $0.autoRenewStatus == 1 && ($0.skus.isEmpty || $0.skus.contains(sku)) },
                    latestTransactionID: transaction.transactionID,
                    revokedAt: Instant(storeMilliseconds: item.revocationDate))
            }
        }
    }

    private func state(_ unknownValues: inout UnknownValueCounts) -> SubscriptionState? {
        if isRevoked { return revocation == .replacement ? .expired : .revoked }
        switch status {
        case 1: return .active
        case 2: return .expired
        case 3: return .billingRetry
        case 4: return .grace
        case 5: return .revoked
        default:
            unknownValues.note("status=\(status.map { String($0) } ?? "")")
            return nil
        }
    }

    private var isRevoked: Bool {
        revocationDate != nil && transaction?.isUpgraded != true && (transaction?.isOneOfSeveral != true || status == 5)
    }

    /// Of the row; where it is made of items, once each of them was taken back.
    private var revocationDate: Int64? { transaction?.revocationDate ?? transaction?.advancedCommerce?.revocationDate }

    /// Why it was taken back, where it was.
    private var revocation: Revocation? { isRevoked ? takenBack : nil }

    /// To a bundle, also as one of several rows of a period that is over.
    private var gaveWay: Bool {
        revocationDate != nil && transaction?.isUpgraded != true && takenBack == .replacement
    }

    /// The row says why; where it names no other reason than a customer's, items that were taken back one by one, none of them with
    /// money, were withdrawn.
    private var takenBack: Revocation {
        var counted = UnknownValueCounts()
        let stated =
            transaction?.reasonOfRevocation(transaction?.owner(&counted) ?? .purchased)
            ?? Revocation(type: nil, reason: nil, ownership: .purchased)
        return stated == .refund && areItemsWithdrawn ? .withdrawal : stated
    }

    private var areItemsWithdrawn: Bool {
        guard let transaction, transaction.revocationDate == nil, let items = transaction.advancedCommerce else {
            return false
        }
        return items.revocationDate != nil && !items.isGivenBack
    }

    private func terms(of state: SubscriptionState?) -> RenewalTerms? {
        renewal.map {
            RenewalTerms(
                renewal: $0, place: transaction?.commitment, isCommitted: transaction?.isCommitted == true,
                expiresDate: transaction?.expiresDate, isRunning: state?.isEnded == false)
        }
    }

    private func endReason(_ state: SubscriptionState?, _ unknownValues: inout UnknownValueCounts) -> EndReason? {
        switch state {
        case .revoked: return takenBack.endReason
        case .expired where gaveWay: return .replaced
        case .expired:
            if let intent = renewal?.expirationIntent, !ExpirationIntent.isKnown(intent) {
                unknownValues.note("renewal.expirationIntent=\(intent)")
            }
            let namesBundle = renewal?.namesBundle == true || transaction?.bundle != nil
            return ExpirationIntent.endReason(renewal?.expirationIntent, namesBundle: namesBundle)
        default: return nil
        }
    }

    /// The newer of the two signatures.
    private var version: Instant? {
        [transaction?.signedDate, renewal?.signedDate].compactMap { Instant(storeMilliseconds: $0) }.max()
    }
}

extension StatusEntry {
    /// Which of several entries of one subscription counts: what runs, then the one bought last and signed last.
    var rank: (Int, Int64, Int64, String) {
        let isRunning = status == 1 || status == 3 || status == 4
        return (
            isRunning ? 1 : 0, transaction?.purchaseDate ?? 0, transaction?.signedDate ?? 0,
            transaction?.transactionID ?? ""
        )
    }
}
