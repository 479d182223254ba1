// SPDX-License-Identifier: Apache-2.0

import Model
import Signing
import Stores

/// `DeveloperNotification`: what Google Play publishes about one purchase.
///
/// Its numbers are read leniently; a member or a number that is unknown here is stored by its name.
struct DeveloperNotification: JSONReadable {
    /// The member that says what happened, by its name in the document.
    struct Event {
        let member: String
        /// Nil where the member has none.
        let number: Int64?
        let purchaseToken: Secret?
        /// Absent in newer ones: the purchase itself names it.
        let productID: String?
        let orderID: String?
        let productType: Int64?
    }

    private static let envelope: Set<String> = ["version", "packageName", "eventTimeMillis"]

    let packageName: String?
    /// Nil where there is none at all.
    let event: Event?

    init(_ fields: Fields) {
        packageName = fields.text("packageName")
        // An empty member counts: its presence is the signal.
        event =
            fields.names(outside: Self.envelope).sorted().lazy.compactMap { name in
                fields.object(name).map { Event(name, $0) }
            }.first
    }
}

extension DeveloperNotification.Event {
    fileprivate init(_ member: String, _ fields: Fields) {
        self.member = member
        number = fields.integer("notificationType")
        purchaseToken = fields.text("purchaseToken").map(Secret.init)
        productID = fields.text("subscriptionId") ?? fields.text("sku")
        orderID = fields.text("orderId")
        productType = fields.integer("productType")
    }
}
