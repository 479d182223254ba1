// SPDX-License-Identifier: Apache-2.0

/// An id that the backend handed in as if it were a subscription's own, and that the store answered for: it belongs to the
/// subscription of that original transaction id, which is asked instead from then on.
package struct BookedAlias: Hashable, Sendable {
    package var appID: String
    /// The id of a later transaction.
    package var storeKey: String
    package var originalTransactionID: String
}

extension Books {
    /// Those that were handed in, and whose subscription was disclosed since.
    package var aliases: [BookedAlias] {
        everySubscription.compactMap { customer, life, _ in
            guard let handIn = life.lateHandIn, handIn.at <= now,
                let status = disclosed.statuses[life.originalTransactionID], status.at >= handIn.at
            else { return nil }
            return BookedAlias(
                appID: customer.appID, storeKey: life.periods[handIn.value].transactionID,
                originalTransactionID: life.originalTransactionID)
        }
    }
}

/// An account that has had its introductory offer (a free trial or a lower price: the App Store grants one of them, once)
/// in a subscription group.
package struct UsedIntroduction: Hashable, Sendable, Codable {
    package var appID: String
    package var accountID: String
    package var groupID: String
    package var environment: StoreEnvironment = .production
}

extension Books {
    /// Who has had an introductory offer where.
    ///
    /// A family member's purchase uses up nobody's but the member's own, a trial by an offer code or another offer
    /// none, and a refund gives none back.
    package func usedIntroductions(_ column: BookColumn) -> Set<UsedIntroduction> {
        let known = Set(
            transactions(column).filter { $0.offerType == .introductory && $0.ownership == .purchased }
                .map(\.originalTransactionID))
        return Set(
            everySubscription.filter { known.contains($0.1.originalTransactionID) }.map { customer, life, _ in
                UsedIntroduction(
                    appID: customer.appID, accountID: customer.accountID, groupID: life.groupID,
                    environment: customer.environment)
            })
    }
}

/// A purchase as the app's backend hands it in: a first purchase, or a repurchase after a lapse; on Google Play every
/// purchase, since each has a token of its own.
package struct Registration: Hashable, Sendable, Codable {
    package var appID: String
    /// The original transaction id; the purchase token.
    package var storeKey: String
    package var accountID: String
    package var productID: String
    package var environment: StoreEnvironment
    /// The expiry of the period just bought; microseconds since the Unix epoch.
    package var expiresAt: Int64?
    /// Base64, for apps that are read through verifyReceipt.
    package var receipt: String?
    /// ISO 3166-1 alpha-2; nil for apps that are read through verifyReceipt, whose books know no country.
    package var country: String?
}
