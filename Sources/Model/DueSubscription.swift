// SPDX-License-Identifier: Apache-2.0

/// A subscription that is due for a check, with what we knew of it: the start of its walk through a night.
package struct DueSubscription: Sendable {
    package let key: SubscriptionKey
    package let lineageKey: SubscriptionKey
    package let appID: AppID
    /// The App Store's original transaction id, or Play's purchase token: never printed.
    package let storeKey: Secret
    package let environment: PurchaseEnvironment?
    package let accountID: String?
    package let productID: String?
    /// ISO 3166-1 alpha-2, given at registration where the store names none.
    package let country: String?
    package let snapshot: SubscriptionSnapshot
    /// Where the store's history was read to (the App Store's `revision`).
    package let historyCursor: String?
    /// How much of the history is to be read, whatever the current status says: an audit, or the refund watch.
    package let historyReach: HistoryReach
    /// Only refunds are looked for: its status is known until its next check.
    package let wantsOnlyRefunds: Bool
    /// The receipt this subscription is read from, where its app is read by receipts.
    package let receipt: Receipt?
    /// All of its periods that we hold: a new one is placed in this timeline.
    package let known: [KnownPeriod]
    /// All periods that we hold of the purchases that this one continues.
    package let knownEarlier: [KnownPeriod]
    /// When it was registered; a pending purchase is asked about less often after a week.
    package let registeredAt: Instant?
    /// Why it is due, as far as we know the word.
    package let reason: NextCheck.Reason?
    /// When store events reported refunds, or that one was taken back, since the last answer.
    package let refundReports: RefundReports
    /// Rows that store events reported as changed since the last answer, as the store signed them.
    package let notifiedRows: [Secret]
    /// Its orders that were not settled when it was last asked about.
    package let awaited: [AwaitedOrder]
    /// A one-time sale that is looked at for refunds, under its own original transaction id or order id: no subscription.
    package let isSale: Bool
    /// Rows of its answers that were set aside and are not booked yet.
    package let rowsSetAside: [RowSetAside]
    /// They are looked for in this check, and its history is read from the beginning for it.
    package let looksForRowsSetAside: Bool
    /// How often somebody made it due at once: more by the time its answer is loaded, and it stays due.
    package var checkRequests: Int64

    package init(
        key: SubscriptionKey, lineageKey: SubscriptionKey, appID: AppID, storeKey: Secret,
        environment: PurchaseEnvironment?, accountID: String?, productID: String?, country: String?,
        snapshot: SubscriptionSnapshot, historyCursor: String?, historyReach: HistoryReach = .asNeeded,
        wantsOnlyRefunds: Bool = false,
        receipt: Receipt?, known: [KnownPeriod], knownEarlier: [KnownPeriod] = [], registeredAt: Instant? = nil,
        reason: NextCheck.Reason? = nil, refundReports: RefundReports = RefundReports(), notifiedRows: [Secret] = [],
        awaited: [AwaitedOrder] = [], isSale: Bool = false, rowsSetAside: [RowSetAside] = [],
        looksForRowsSetAside: Bool = false, checkRequests: Int64 = 0
    ) {
        self.key = key
        self.lineageKey = lineageKey
        self.appID = appID
        self.storeKey = storeKey
        self.environment = environment
        self.accountID = accountID
        self.productID = productID
        self.country = country
        self.snapshot = snapshot
        self.historyCursor = historyCursor
        self.historyReach = historyReach
        self.wantsOnlyRefunds = wantsOnlyRefunds
        self.receipt = receipt
        self.known = known
        self.knownEarlier = knownEarlier
        self.registeredAt = registeredAt
        self.reason = reason
        self.refundReports = refundReports
        self.notifiedRows = notifiedRows
        self.awaited = awaited
        self.isSale = isSale
        self.rowsSetAside = rowsSetAside
        self.looksForRowsSetAside = looksForRowsSetAside
        self.checkRequests = checkRequests
    }

    /// Its charges are looked at again besides its status.
    package var wantsHistory: Bool { historyReach != .asNeeded }

    /// A placeholder for a bare receipt until an answer reports which subscriptions are in it.
    package var isPlaceholder: Bool { receipt != nil && storeKey.reveal().hasPrefix(Receipt.placeholderPrefix) }
}
