// SPDX-License-Identifier: Apache-2.0

import Foundation

extension StoreFront {
    /// The store's ids are numbers.
    static func isID(_ text: String) -> Bool { !text.isEmpty && text.allSatisfy(\.isNumber) }

    /// Get All Subscription Statuses. Only the subscription whose own id was asked has told where it stands.
    func statuses(
        of id: String, app: SimulatedApp, in environment: StoreEnvironment, telling: Telling
    ) throws -> DeskAnswer {
        guard Self.isID(id) else { return .failure(400, .malformedID) }
        guard let customer = customer(ofTransaction: id, app: app), customer.environment == environment else {
            return .failure(404, .unknownTransaction)
        }
        let now = clock
        let lives = customer.subscriptions.filter { $0.standing(at: now) != nil }
        let groups = try Dictionary(grouping: lives, by: \.groupID).map { group, lives in
            ServerAnswers.Statuses.Group(
                subscriptionGroupIdentifier: group,
                lastTransactions: try lives.compactMap { try entry($0, customer, app, now) })
        }
        reveal(
            lives.compactMap { life in life.standing(at: now).map { Shown.period(life, $0.periodIndex) } },
            standings: lives.filter { $0.isKnown(as: id) }, of: customer, app: app, at: now, telling: telling)
        return try .json(
            ServerAnswers.Statuses(
                environment: environment.storeName, bundleId: app.bundleID, appAppleId: app.appAppleID, data: groups))
    }

    private func entry(
        _ life: SubscriptionLife, _ customer: CustomerLife, _ app: SimulatedApp, _ now: Int64
    ) throws -> ServerAnswers.Statuses.Entry? {
        guard let standing = life.standing(at: now) else { return nil }
        let period = life.periods[standing.periodIndex]
        return ServerAnswers.Statuses.Entry(
            status: standing.status.rawValue, originalTransactionId: life.originalTransactionID,
            signedTransactionInfo: try keys.sign(TransactionRow(period, of: life, by: customer, in: app, at: now)),
            signedRenewalInfo: try keys.sign(RenewalRow(standing, of: life, by: customer, at: now)))
    }
}

extension SubscriptionLife {
    /// Whether one of its transactions ever goes by that id.
    fileprivate func isKnown(as id: String) -> Bool {
        periods.contains { period in period.transactionID == id || period.restores.contains { $0.value == id } }
    }
}
