// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AppStoreBackend {
    /// The store's ids are numbers.
    static func isID(_ text: String) -> Bool { !text.isEmpty && text.allSatisfy(\.isNumber) }

    /// Get All Subscription Statuses. Discloses the status only of the subscription whose own id was asked.
    func statuses(of id: String, for reader: AppStoreReader) throws -> StoreResponse {
        guard Self.isID(id) else { return .failure(400, .malformedID) }
        guard let customer = customer(ofTransaction: id, for: reader) else { return .failure(404, .unknownTransaction) }
        let (now, app) = (clock, reader.app)
        let lives = customer.subscriptions.filter { $0.status(at: now) != nil }
        let groups = try Dictionary(grouping: lives, by: \.groupID).map { group, lives -> WireObject in
            let entries = try lives.compactMap { try entry($0, customer, app, now) }
            return ["subscriptionGroupIdentifier": group, "lastTransactions": entries]
        }
        disclose(
            lives.compactMap { life in life.status(at: now).map { AppStorePurchase(life, $0.periodIndex) } },
            statuses: lives.filter { $0.isKnown(as: id) }, of: customer, to: reader, at: now)
        return try .json(
            [
                "environment": reader.environment.storeName, "bundleId": app.bundleID, "appAppleId": app.appAppleID,
                "data": groups,
            ] as WireObject)
    }

    private func entry(
        _ life: SubscriptionLife, _ customer: CustomerLife, _ app: SimulatedApp, _ now: Int64
    ) throws -> WireObject? {
        guard let status = life.status(at: now) else { return nil }
        let newest = AppStorePurchase(life, status.periodIndex)
        return [
            "status": status.state.rawValue, "originalTransactionId": life.originalTransactionID,
            "signedTransactionInfo": try keys.sign(TransactionRow.row(of: newest, by: customer, in: app, at: now)),
            "signedRenewalInfo": try keys.sign(RenewalRow.row(of: status, of: life, by: customer, at: now)),
        ]
    }
}

extension SubscriptionLife {
    /// Whether one of its transactions ever goes by that id.
    fileprivate func isKnown(as id: String) -> Bool {
        periods.contains { period in period.transactionID == id || period.restores.contains { $0.value == id } }
    }
}
