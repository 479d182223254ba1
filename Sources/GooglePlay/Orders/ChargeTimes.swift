// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// When the orders of a purchase were charged, of those that are booked or are about to be.
struct ChargeTimes {
    private var times: [OrderID: Instant] = [:]

    init(_ observed: [ObservedPeriod], _ known: [KnownPeriod]) {
        for period in known where period.kind != .oneTime { times[OrderID(period.transactionID)] = period.purchasedAt }
        for period in observed { times[OrderID(period.transactionID)] = period.purchasedAt }
    }

    func contains(_ id: OrderID) -> Bool { times[id] != nil }

    /// The charge of the next order after this one; nil where none is known.
    func after(_ id: OrderID) -> Instant? {
        let later = times.filter { $0.key.base == id.base && $0.key.position > id.position }
        return later.min { $0.key.position < $1.key.position }?.value
    }
}
