// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// One subscription that an answer shows, beside what we knew of it.
struct ObservedSubscription {
    let key: SubscriptionKey
    let storeKey: Secret
    /// Nil: the answer was not asked for it.
    let due: DueSubscription?
    let environment: PurchaseEnvironment
    private(set) var status: ObservedStatus?
    /// Its auto-renewable periods that do not contradict themselves.
    private(set) var periods: [ObservedPeriod]
    private(set) var historyCursor: String?
    private(set) var hasMoreHistory: Bool
    /// The purchase that this one continues.
    let linkedTo: Secret?
    /// Nil where the answer does not say.
    let items: [SubscriptionItem]?
    /// Its id only stood for the purchase it is linked to.
    let isSubstitute: Bool
    let unsettled: [UnsettledOrder]

    init(_ observation: Observation, key: SubscriptionKey, due: DueSubscription?, periods: [ObservedPeriod]) {
        self.key = key
        self.storeKey = observation.storeKey
        self.due = due
        self.environment = observation.environment
        self.status = observation.status
        self.periods = periods
        self.historyCursor = observation.historyCursor
        self.hasMoreHistory = observation.hasMoreHistory
        self.linkedTo = observation.linkedTo
        self.items = observation.items
        self.isSubstitute = observation.isSubstitute
        self.unsettled = observation.unsettled
    }

    /// The same subscription again, from another part of the answer: the newer status and cursor count.
    mutating func merge(_ other: ObservedSubscription) {
        periods += other.periods
        historyCursor = other.historyCursor ?? historyCursor
        hasMoreHistory = hasMoreHistory || other.hasMoreHistory
        guard let theirs = other.status else { return }
        if let mine = status, mine.sourceVersion >= theirs.sourceVersion { return }
        status = theirs
    }

    /// Several products are owned under it now; one that only comes with the next renewal has no order yet.
    ///
    /// Nil where the answer does not say.
    var hasSeveralItems: Bool? { items.map { $0.count { $0.latestTransactionID != nil && $0.revokedAt == nil } > 1 } }

    /// It is known, or said just now, to continue an earlier purchase.
    var continuesAnother: Bool { linkedTo != nil || due.map { $0.lineageKey != $0.key } ?? false }

    /// The reported status.
    ///
    /// A subscription that was asked about keeps its state if the answer shows only its periods.
    func observedStatus(now: Instant) -> ObservedStatus? {
        if let status { return status }
        guard due != nil else { return nil }
        return ObservedStatus(state: nil, sourceVersion: periods.map(\.sourceVersion).max() ?? now)
    }
}
