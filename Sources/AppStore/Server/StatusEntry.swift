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
    /// A revocation of the current transaction ends the access whatever else is said.
    func observed(answeredAt: Instant?, oddities: inout Oddities) -> ObservedStatus {
        let state = transaction == nil ? nil : state(&oddities)
        let autoRenew = autoRenew(&oddities)
        return ObservedStatus(
            state: state, raw: status.map { String($0) }, productID: transaction?.productID,
            autoRenew: autoRenew, autoRenewProductID: renewal?.autoRenewProductID,
            expiresAt: Instant(storeMilliseconds: transaction?.expiresDate),
            graceExpiresAt: Instant(storeMilliseconds: renewal?.gracePeriodExpiresDate),
            endReason: endReason(state, &oddities),
            revokedAt: state == .revoked ? Instant(storeMilliseconds: transaction?.revocationDate) : nil,
            sourceVersion: version ?? answeredAt ?? .distantPast)
    }

    private func state(_ oddities: inout Oddities) -> SubscriptionState? {
        if isRevoked { return .revoked }
        switch status {
        case 1: return .active
        case 2: return .expired
        case 3: return .billingRetry
        case 4: return .grace
        case 5: return .revoked
        default:
            oddities.note("status=\(status.map { String($0) } ?? "")")
            return nil
        }
    }

    private var isRevoked: Bool { transaction?.revocationDate != nil && transaction?.isUpgraded != true }

    /// With a commitment, turning the renewal off shows only in the commitment's own field until its last month.
    private func autoRenew(_ oddities: inout Oddities) -> Bool? {
        guard let told = renewal?.autoRenewStatus else { return nil }
        guard (0...1).contains(told) else {
            oddities.note("renewal.autoRenewStatus=\(told)")
            return nil
        }
        return told == 1 && renewal?.commitment?.autoRenewStatus != 0
    }

    private func endReason(_ state: SubscriptionState?, _ oddities: inout Oddities) -> EndReason? {
        switch state {
        case .revoked: return transaction?.isFamilyRevocation == true ? .revoke : .refund
        case .expired:
            if let intent = renewal?.expirationIntent, !ExpirationIntent.known.contains(intent) {
                oddities.note("renewal.expirationIntent=\(intent)")
            }
            return ExpirationIntent.endReason(renewal?.expirationIntent)
        default: return nil
        }
    }

    /// The newer of the two signatures.
    private var version: Instant? {
        [transaction?.signedDate, renewal?.signedDate].compactMap { Instant(storeMilliseconds: $0) }.max()
    }
}
