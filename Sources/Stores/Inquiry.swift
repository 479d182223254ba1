// SPDX-License-Identifier: Apache-2.0

package import Model

/// One thing the store is asked about: a subscription, or a receipt that several subscriptions are read from.
package struct Inquiry: Sendable {
    /// The due subscriptions this inquiry is for; never empty.
    package let subscriptions: [DueSubscription]

    package init(subscriptions: [DueSubscription]) { self.subscriptions = subscriptions }
}
