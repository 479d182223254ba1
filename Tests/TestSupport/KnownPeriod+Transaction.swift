// SPDX-License-Identifier: Apache-2.0

package import Model

extension KnownPeriod {
    /// What a later night knows of a row that an earlier one booked.
    package init(_ row: CanonicalTransaction) {
        self.init(
            transactionID: row.transactionID, productID: row.productID, periodKey: row.periodKey, kind: row.kind,
            isTrialConversion: row.isTrialConversion, purchasedAt: row.purchasedAt, start: row.periodStart,
            end: row.periodEnd, priceMicros: row.priceMicros, currency: row.currency, refundedAt: row.refundedAt,
            refundKind: row.refundKind, refundMicros: row.refundMicros, refundParts: row.refundParts, seats: row.seats,
            isUpgraded: row.isUpgraded, basePlanID: row.basePlanID, proceedsMicros: row.proceedsMicros)
    }
}
