// SPDX-License-Identifier: Apache-2.0

/// A purchase that its customer cancelled, and when: the store dates it, however late it is asked.
package struct DatedCancellation: Hashable, Sendable {
    package var appID: String
    /// Google Play's purchase token.
    package var storeKey: String
    /// Microseconds since the Unix epoch (UTC).
    package var at: Int64
}

extension PlayBooks {
    /// Every dated cancellation that an answer disclosed; one that was taken back before anybody asked is none.
    ///
    /// Instalments that were said to run out switch nothing off before the last of them, whatever date is given with
    /// the end.
    fileprivate var datedCancellations: Set<DatedCancellation> {
        Set(
            everyToken.filter { $0.2.play?.api == .v2 }.flatMap { _, token, app in
                let shown = (disclosed.answers[token.token] ?? []).compactMap { token.moment(at: $0) }
                return shown.prefix { !$0.isCommitted }.compactMap(\.customersCancellation).map {
                    DatedCancellation(appID: app.id, storeKey: token.token, at: $0)
                }
            })
    }

    /// The purchases that were disclosed, and those that the store said it had forgotten.
    func access(_ policy: AccessPolicy, at instant: Int64) -> [BookedAccess] {
        everyToken.filter { !$0.1.isOneTime }.compactMap { customer, token, app in
            var last = disclosedStatuses(of: token, in: app).last
            if last == nil, disclosed.forgotten.contains(token.token) {
                last = DisclosedStatus(subscription: BookedSubscription(unreachable: token, in: app), at: now)
            }
            return last?.access(of: customer.accountID, policy, at: instant)
        }
    }
}

extension Books {
    /// The cancellations that Google Play's answers have dated so far.
    package var datedCancellations: Set<DatedCancellation> { play?.datedCancellations ?? [] }

    /// Google Play purchases that a reader could have asked about from that night on, and nobody did before the store
    /// forgot them: their charges are lost to every column of the books, so a reader's neglect would not show.
    package func overlookedPurchases(since firstNight: Int64) -> [String] {
        guard let play else { return [] }
        return play.everyToken.filter { customer, token, app in
            play.isLost(token) && !token.isForgotten(at: firstNight) && play.isReachable(token, of: customer, in: app)
        }.map(\.1.token)
    }
}

extension PlayMoment {
    fileprivate var customersCancellation: Int64? {
        guard state == .canceled || state == .expired, case .user(let at)? = cancellation else { return nil }
        return at
    }

    fileprivate var isCommitted: Bool { mainItem?.instalments?.isCancellationPending == true }
}

extension PlayCustomer {
    /// The same customer with the links that a reader can know of: those disclosed, and those that an answer would
    /// disclose now.
    ///
    /// A purchase made in the store's own pages names the ended one it follows only until it is acknowledged.
    func linked(asDisclosedIn disclosed: Disclosures, at now: Int64) -> PlayCustomer {
        guard tokens.contains(where: { $0.expiredToken != nil }) else { return self }
        var customer = self
        for index in tokens.indices {
            let asked = (disclosed.answers[tokens[index].token] ?? []) + [now]
            let isDisclosed = asked.contains { $0 >= tokens[index].startedAt && !tokens[index].isAcknowledged(at: $0) }
            if isDisclosed, let expired = tokens[index].expiredToken { customer.tokens[index].linkedToken = expired }
        }
        return customer
    }
}
