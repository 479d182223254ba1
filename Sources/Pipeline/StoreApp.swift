// SPDX-License-Identifier: Apache-2.0

package import Model
package import Stores

/// One configured app as a night needs it: whom to ask, and through what.
package struct StoreApp: Sendable {
    package let id: AppID
    package let kind: StoreKind
    package let environment: PurchaseEnvironment
    /// Assumed where the store names no country.
    package let defaultCountry: String?
    package let store: any Store
    package let conversation: Conversation
    package let maxInFlight: Int

    package init(
        id: AppID, kind: StoreKind, environment: PurchaseEnvironment, defaultCountry: String?, store: any Store,
        conversation: Conversation, maxInFlight: Int
    ) {
        self.id = id
        self.kind = kind
        self.environment = environment
        self.defaultCountry = defaultCountry
        self.store = store
        self.conversation = conversation
        self.maxInFlight = maxInFlight
    }
}
