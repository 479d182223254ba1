// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The answers of the App Store Server API that show where something stands.
extension AppStoreBackend {
    /// The answer about the customer whom a transaction id belongs to, and at which instant; a refusal where it is nobody's.
    func answer(
        about id: String, for reader: AppStoreReader, _ make: (CustomerLife, Int64) throws -> StoreResponse
    ) throws -> StoreResponse {
        // The store's ids are numbers.
        guard !id.isEmpty, id.allSatisfy(\.isNumber) else { return .failure(400, .malformedID) }
        guard let customer = customer(ofTransaction: id, for: reader) else { return .failure(404, .unknownTransaction) }
        return try make(customer, clock)
    }

    /// A transaction as the reader gets it.
    func sign(
        _ purchase: AppStorePurchase, of customer: CustomerLife, in app: SimulatedApp, at now: Int64
    ) throws -> String {
        try keys.sign(mistakes.spoilt(TransactionRow.row(of: purchase, by: customer, in: app, at: now), at: now))
    }

    /// Get Transaction Info: one row.
    func transaction(_ id: String, for reader: AppStoreReader) throws -> StoreResponse {
        try answer(about: id, for: reader) { customer, now in
            guard let purchase = customer.purchase(id, at: now) else { return .failure(404, .unknownTransaction) }
            disclose([purchase], of: customer, to: reader, at: now)
            return try .json(["signedTransactionInfo": try sign(purchase, of: customer, in: reader.app, at: now)])
        }
    }

    /// Get All Subscription Statuses.
    ///
    /// Discloses the status only of the subscription whose own id was asked.
    func statuses(of id: String, for reader: AppStoreReader) throws -> StoreResponse {
        try answer(about: id, for: reader) { customer, now in
            let app = reader.app
            let lives = customer.subscriptions.filter { $0.status(at: now) != nil }
            let groups = try Dictionary(grouping: lives, by: \.groupID).map { group, lives -> WireObject in
                let entries = try lives.compactMap { try entry($0, of: customer, in: app, at: now) }
                return ["subscriptionGroupIdentifier": group, "lastTransactions": entries]
            }
            disclose(
                lives.compactMap { life in life.status(at: now).map { AppStorePurchase(life, $0.periodIndex) } },
                statuses: lives.filter { $0.isKnown(as: id) }, of: customer, to: reader, at: now)
            return try .json([
                "environment": reader.environment.storeName, "bundleId": app.bundleID, "appAppleId": app.appAppleID,
                "data": groups,
            ])
        }
    }

    private func entry(
        _ life: SubscriptionLife, of customer: CustomerLife, in app: SimulatedApp, at now: Int64
    ) throws -> WireObject? {
        guard let status = life.status(at: now) else { return nil }
        let newest = AppStorePurchase(life, status.periodIndex)
        return [
            "status": status.state.rawValue, "originalTransactionId": life.originalTransactionID,
            "signedTransactionInfo": try sign(newest, of: customer, in: app, at: now),
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
