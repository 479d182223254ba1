// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension TransactionPayload {
    /// All of a price, in thousandths of a percent.
    private static let whole: Int64 = 100_000

    var isFamilyShared: Bool { ownership == "FAMILY_SHARED" }

    /// A family member's access was withdrawn: no money moves.
    var isFamilyRevocation: Bool { revocationType == "FAMILY_REVOKE" || (revocationType == nil && isFamilyShared) }

    /// What the store says was given back of this transaction.
    ///
    /// A superseded row that is "revoked" without a type or a share was not refunded by anybody's decision: the store
    /// credits the rest of it against its successor and does not tell how much.
    func refund(_ oddities: inout Oddities) -> ObservedPeriod.Refund? {
        guard let at = Instant(storeMilliseconds: revocationDate) else { return nil }
        let isCreditOfUpgrade = isUpgraded == true && revocationType == nil && revocationPercentage == nil
        guard !isCreditOfUpgrade else { return nil }
        let share = usableShare(&oddities)
        return ObservedPeriod.Refund(at: at, kind: refundKind(share, &oddities), thousandthsOfPercent: share)
    }

    private func refundKind(_ share: Int64?, _ oddities: inout Oddities) -> RefundKind {
        if isFamilyRevocation { return .revoke }
        switch revocationType {
        case "REFUND_PRORATED": return .partial
        case "REFUND_FULL", nil: break
        case .some(let unknown): oddities.note("transaction.revocationType=\(unknown)")
        }
        return share.map { $0 < Self.whole } == true ? .partial : .full
    }

    private func usableShare(_ oddities: inout Oddities) -> Int64? {
        guard let revocationPercentage else { return nil }
        guard (0...Self.whole).contains(revocationPercentage) else {
            oddities.note("transaction.revocationPercentage out of range")
            return nil
        }
        return revocationPercentage
    }
}
