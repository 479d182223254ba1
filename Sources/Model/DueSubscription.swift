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

/// A stored App Store receipt: one for many subscriptions, asked once a night.
package struct Receipt: Hashable, Sendable {
    /// How the store key of a bare receipt's placeholder begins.
    package static let placeholderPrefix = "receipt-"

    package let id: Int64
    package let data: Secret

    package init(id: Int64, data: Secret) {
        self.id = id
        self.data = data
    }
}

/// What a subscription looked like when it was last read.
package struct SubscriptionSnapshot: Hashable, Sendable {
    package var state: SubscriptionState
    package var stateRaw: String?
    package var productID: String?
    package var autoRenew: Bool?
    package var autoRenewProductID: String?
    package var expiresAt: Instant?
    package var graceExpiresAt: Instant?
    /// When the access of an ended subscription really ended: expiry, unpaid grace end, or revocation.
    package var endedAt: Instant?
    package var endReason: EndReason?
    /// Until when payments are committed to, where the customer cancelled such a plan; nil where not.
    package var committedUntil: Instant?
    /// What the store says that the next renewal costs; nil where it does not.
    package var renewalPrice: RenewalPrice?
    package var lastCheckedAt: Instant?
    /// When a check of it last failed.
    package var lastFailedAt: Instant?
    package var failures: Int
    /// Nights since its last good answer on which the store refused it for now.
    package var refusals: Int
    /// When it was last refused for now.
    package var lastRefusedAt: Instant?
    /// How new the store's statement is that it is based on; nil where there is none yet.
    package var sourceVersion: Instant?

    package init(
        state: SubscriptionState = .unverified, stateRaw: String? = nil, productID: String? = nil,
        autoRenew: Bool? = nil, autoRenewProductID: String? = nil, expiresAt: Instant? = nil,
        graceExpiresAt: Instant? = nil, endedAt: Instant? = nil, endReason: EndReason? = nil,
        committedUntil: Instant? = nil, renewalPrice: RenewalPrice? = nil, lastCheckedAt: Instant? = nil,
        lastFailedAt: Instant? = nil, failures: Int = 0, refusals: Int = 0, lastRefusedAt: Instant? = nil,
        sourceVersion: Instant? = nil
    ) {
        self.state = state
        self.stateRaw = stateRaw
        self.productID = productID
        self.autoRenew = autoRenew
        self.autoRenewProductID = autoRenewProductID
        self.expiresAt = expiresAt
        self.graceExpiresAt = graceExpiresAt
        self.endedAt = endedAt
        self.endReason = endReason
        self.committedUntil = committedUntil
        self.renewalPrice = renewalPrice
        self.lastCheckedAt = lastCheckedAt
        self.lastFailedAt = lastFailedAt
        self.failures = failures
        self.refusals = refusals
        self.lastRefusedAt = lastRefusedAt
        self.sourceVersion = sourceVersion
    }
}
