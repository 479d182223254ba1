// SPDX-License-Identifier: Apache-2.0

import Model

/// One subscription as the lines of a batch register it: as if they had been handed in one by one.
struct Registration {
    let key: SubscriptionKey
    let appID: String
    let storeKey: String
    /// Registered before this batch.
    let isKnown: Bool
    private(set) var accountID: String?
    private(set) var productID: String?
    private(set) var environment: String?
    private(set) var country: String?
    private(set) var expiresAt: Instant?
    private(set) var receipt: String?
    /// Some line was taken.
    private(set) var isTaken = false

    /// `owner`: the account it is registered under; nil where it has none.
    init(key: SubscriptionKey, appID: String, storeKey: String, isKnown: Bool, owner: String?) {
        (self.key, self.appID, self.storeKey, self.isKnown) = (key, appID, storeKey, isKnown)
        accountID = owner
    }

    /// Takes a line; false where it is of another account, and then nothing of it is taken.
    ///
    /// Of the account, the product and the environment the first given value counts, of the rest the last.
    mutating func take(_ line: SubscriptionLine) -> Bool {
        if let owner = accountID, let given = line.accountID, given != owner { return false }
        accountID = accountID ?? line.accountID
        productID = productID ?? line.productID
        environment = environment ?? line.environment
        country = line.country ?? country
        expiresAt = line.expiresAt ?? expiresAt
        receipt = line.receipt ?? receipt
        isTaken = true
        return true
    }
}
