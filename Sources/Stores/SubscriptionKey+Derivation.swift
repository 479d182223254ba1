// SPDX-License-Identifier: Apache-2.0

package import Model
internal import Signing

extension SubscriptionKey {
    /// The key of a store's id within an app, as `subledger.register` computes it in SQL.
    package init(appID: AppID, storeKey: String) {
        self.init(digest: SHA256.digest(Array(appID.rawValue.utf8) + [0] + Array(storeKey.utf8)))
    }
}
