// SPDX-License-Identifier: Apache-2.0

package import Model
package import Stores

/// One configured app as the jobs ask about it: which store, and through what.
package struct StoreApp: Sendable {
    package let id: AppID
    package let environment: PurchaseEnvironment
    /// Assumed where the store names no country.
    package let defaultCountry: String?
    package let store: any Store
    package let client: ThrottledClient
    package let maxInFlight: Int

    package init(
        id: AppID, environment: PurchaseEnvironment, defaultCountry: String?, store: any Store,
        client: ThrottledClient, maxInFlight: Int
    ) {
        self.id = id
        self.environment = environment
        self.defaultCountry = defaultCountry
        self.store = store
        self.client = client
        self.maxInFlight = maxInFlight
    }
}
