// SPDX-License-Identifier: Apache-2.0

/// A purchase that continues an earlier one of the same customer.
package struct LineageLink: Hashable, Sendable {
    package let key: SubscriptionKey
    package let earlier: SubscriptionKey

    package init(key: SubscriptionKey, earlier: SubscriptionKey) {
        self.key = key
        self.earlier = earlier
    }
}
