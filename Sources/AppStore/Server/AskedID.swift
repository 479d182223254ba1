// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// What the id that was asked about turned out to be.
///
/// The store answers to the id of any transaction.
enum AskedID: Hashable {
    /// A subscription's own, or one that nothing is known of yet.
    case subscription
    /// A one-time product's: it has no status, and needs none.
    case sale
    /// That of a later transaction: of a subscription, by its original id, or of a one-time product (nil).
    case later(of: String?)

    /// `observed`: all rows of the answer that could be read.
    ///
    /// `hasStatus`: the answer reports a state under this very id.
    init(_ asked: String, in observed: [ObservedPeriod], hasStatus: Bool) {
        let own = observed.filter { $0.originalTransactionID == asked }
        if hasStatus || own.contains(where: \.isAutoRenewable) {
            self = .subscription
        } else if !own.isEmpty {
            self = .sale
        } else if let row = observed.first(where: { $0.transactionID == asked }) {
            self = .later(of: row.isAutoRenewable ? row.originalTransactionID : nil)
        } else {
            self = .subscription
        }
    }

    var isLater: Bool {
        if case .later = self { true } else { false }
    }
}
