// SPDX-License-Identifier: Apache-2.0

/// An account that has had its introductory offer (a free trial or a lower price: the App Store grants one of them, once)
/// in a subscription group.
package struct UsedIntroduction: Hashable, Sendable, Codable {
    package var appID: String
    package var accountID: String
    package var groupID: String
    package var environment: StoreEnvironment

    package init(appID: String, accountID: String, groupID: String, environment: StoreEnvironment = .production) {
        self.appID = appID
        self.accountID = accountID
        self.groupID = groupID
        self.environment = environment
    }
}

extension Books {
    /// Who has had an introductory offer where. A family member's purchase uses up nobody's but the member's own, a trial
    /// by an offer code or another offer none, and a refund gives none back.
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
