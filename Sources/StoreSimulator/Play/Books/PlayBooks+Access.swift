// SPDX-License-Identifier: Apache-2.0

extension PlayBooks {
    /// The purchases that were told of, and those that the store said it had forgotten.
    func access(_ policy: AccessPolicy, at instant: Int64) -> [BookedAccess] {
        everyToken.filter { !$0.1.isOneTime }.compactMap { customer, token, app in
            guard let told = told(of: token, app) else { return nil }
            return BookedAccess(
                appID: app.id, accountID: customer.accountID, originalTransactionID: token.token,
                accessUntil: told.accessUntil(policy, isUnread: false),
                reason: told.reason(at: instant, isUnread: false))
        }
    }

    private func told(of token: PlayToken, _ app: SimulatedApp) -> Revelations.Told? {
        guard let at = revealed.tokens[token.token]?.last, let standing = token.standing(at: at, in: app) else {
            guard revealed.gone.contains(token.token) else { return nil }
            return Revelations.Told(subscription: BookedSubscription(unreachable: token, in: app), at: now)
        }
        return Revelations.Told(
            subscription: BookedSubscription(standing, of: token, in: app), at: at, revokedAt: standing.revokedAt,
            graceEndsAt: standing.graceEndsAt)
    }
}
