// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension DueSubscription {
    /// A subscription that is not registered yet: nothing is known of it but what its purchase says.
    init(
        new storeKey: Secret, of app: AppID, environment: PurchaseEnvironment?, productID: String?,
        receipt: Receipt?, now: Instant
    ) {
        let key = SubscriptionKey(appID: app, storeKey: storeKey.reveal())
        self.init(
            key: key, lineageKey: key, appID: app, storeKey: storeKey, environment: environment, accountID: nil,
            productID: productID, country: nil, snapshot: SubscriptionSnapshot(), historyCursor: nil,
            receipt: receipt, known: [], registeredAt: now)
    }

    /// A registered one, with what a purchase adds to it: the product where none is known, and the receipt to ask with.
    func adding(productID: String?, receipt: Receipt?) -> DueSubscription {
        DueSubscription(
            key: key, lineageKey: lineageKey, appID: appID, storeKey: storeKey, environment: environment,
            accountID: accountID, productID: self.productID ?? productID, country: country, snapshot: snapshot,
            historyCursor: historyCursor, historyReach: historyReach, wantsOnlyRefunds: false,
            receipt: receipt ?? self.receipt, known: known, registeredAt: registeredAt,
            refundReports: refundReports, notifiedRows: notifiedRows, awaited: awaited,
            rowsSetAside: rowsSetAside, looksForRowsSetAside: looksForRowsSetAside, checkRequests: checkRequests)
    }
}
