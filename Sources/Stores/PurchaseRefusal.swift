// SPDX-License-Identifier: Apache-2.0

/// Why a purchase is refused, with the verdicts that were reached; nil is one that was not reached.
package struct PurchaseRefusal: Hashable, Sendable {
    /// The store issued it.
    package let genuine: Bool?
    /// It is for this app.
    package let ours: Bool?
    /// It has not expired.
    package let isCurrent: Bool?
    /// A sentence for people, without any token or receipt.
    package let reason: String

    private init(genuine: Bool? = nil, ours: Bool? = nil, isCurrent: Bool? = nil, reason: String) {
        self.genuine = genuine
        self.ours = ours
        self.isCurrent = isCurrent
        self.reason = reason
    }

    package static func notGenuine(_ reason: String, ours: Bool? = nil) -> PurchaseRefusal {
        PurchaseRefusal(genuine: false, ours: ours, reason: reason)
    }

    /// The store issued it, for another app.
    package static func notOurs(_ reason: String) -> PurchaseRefusal {
        PurchaseRefusal(genuine: true, ours: false, reason: reason)
    }

    /// It ended so long ago that the store no longer reports it.
    package static func over(_ reason: String) -> PurchaseRefusal { PurchaseRefusal(isCurrent: false, reason: reason) }

    /// In this form it can never be assessed: it must be handed in as something else.
    package static func unusable(_ reason: String) -> PurchaseRefusal { PurchaseRefusal(reason: reason) }

    /// All of it is right, and there is nothing in it.
    package static func empty(_ reason: String) -> PurchaseRefusal {
        PurchaseRefusal(genuine: true, ours: true, reason: reason)
    }
}
