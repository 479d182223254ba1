// SPDX-License-Identifier: Apache-2.0

/// What Transform makes of a chunk's answers and Load writes in one transaction.
package struct ChunkRows: Sendable {
    /// The subscriptions that the store was asked about, each with how often it had been made due when it was read: one
    /// that was made due since stays so.
    package var asked: [SubscriptionKey: Int64] = [:]
    package var subscriptions: [SubscriptionRow] = []
    package var discoveries: [DiscoveredSubscription] = []
    /// To be removed: placeholders of bare receipts whose subscriptions the answer reported, and one-time products that were
    /// registered to be asked about and are booked.
    package var placeholders: [SubscriptionKey] = []
    package var transactions: [CanonicalTransaction] = []
    package var aliases: [TransactionAlias] = []
    package var links: [LineageLink] = []
    /// Those of the links whose later key was only the id of a later transaction: the earlier one takes its account.
    package var substitutes: [LineageLink] = []
    /// The products of each purchase that was asked about; none of one that holds a single product.
    package var items: [SubscriptionKey: [SubscriptionItem]] = [:]
    /// The documents of the answers, by the subscription they are kept under.
    package var answers: [SubscriptionKey: [ArchivedDocument]] = [:]
    /// The answers that one-time sales were read from: they belong to no subscription that was asked about.
    package var saleAnswers: [SubscriptionKey: String] = [:]
    /// When the one-time sales among the transactions are looked at again.
    package var looks: [SubscriptionKey: SaleLook] = [:]
    package var failedLooks: [FailedLook] = []
    /// What is to be loaded instead where the database refuses the rows of an inquiry: its checks, and its looks, failed.
    package var failuresIfRefused: [FailedCheck] = []
    package var failedLooksIfRefused: [FailedLook] = []
    /// Tokens that turned out to be those of one-time purchases, each with the key its sale is booked under.
    package var soldUnder: [SubscriptionKey: SubscriptionKey] = [:]
    /// The orders that each purchase still waits for; none where all that were awaited are settled.
    package var awaited: [SubscriptionKey: [AwaitedOrder]] = [:]
    package var receipts: [Receipt] = []
    package var failures: [FailedCheck] = []
    /// Rows or documents that were set aside while their neighbours went on.
    package var setAside: [SetAside] = []
    /// The subscriptions whose rows were read from the first to the last.
    package var readWhole: Set<SubscriptionKey> = []
    /// Unknown values and fields, counted by name.
    package var unknownValues: [String: Int64] = [:]
    /// How the checks ended, where that may point to a setting: added up for the run, by names that the night knows.
    package var suspicion: [String: Int64] = [:]

    package init() {}

    /// Rows of an answer about these subscriptions.
    package init(asked: [DueSubscription]) {
        self.asked = Dictionary(asked.map { ($0.key, $0.checkRequests) }, uniquingKeysWith: min)
    }

    /// Adds all of another inquiry's rows: every member above, and a test looks whether one is missing.
    package mutating func merge(_ other: ChunkRows) {
        asked.merge(other.asked, uniquingKeysWith: min)
        subscriptions += other.subscriptions
        discoveries += other.discoveries
        placeholders += other.placeholders
        transactions += other.transactions
        aliases += other.aliases
        links += other.links
        substitutes += other.substitutes
        items.merge(other.items, uniquingKeysWith: +)
        answers.merge(other.answers, uniquingKeysWith: +)
        saleAnswers.merge(other.saleAnswers) { first, _ in first }
        looks.merge(other.looks, uniquingKeysWith: SaleLook.sooner)
        failedLooks += other.failedLooks
        failuresIfRefused += other.failuresIfRefused
        failedLooksIfRefused += other.failedLooksIfRefused
        soldUnder.merge(other.soldUnder) { first, _ in first }
        awaited.merge(other.awaited) { first, _ in first }
        receipts += other.receipts
        failures += other.failures
        setAside += other.setAside
        readWhole.formUnion(other.readWhole)
        unknownValues.merge(other.unknownValues, uniquingKeysWith: +)
        suspicion.merge(other.suspicion, uniquingKeysWith: +)
    }
}

/// A subscription as this check leaves it.
package struct SubscriptionRow: Hashable, Sendable {
    package let key: SubscriptionKey
    package let environment: PurchaseEnvironment
    package let snapshot: SubscriptionSnapshot
    package let nextCheck: NextCheck
    package let historyCursor: String?
    package let sourceVersion: Instant
    /// When the change to this state happened, as far as the store dates it.
    package let occurredAt: Instant
    /// The content hash of the answer that said so.
    package let answerHash: String
    /// What became of it between the last answer and this one, as far as the store dates it: in its order, and before what it
    /// is now.
    package let steps: [StateStep]

    package init(
        key: SubscriptionKey, environment: PurchaseEnvironment, snapshot: SubscriptionSnapshot, nextCheck: NextCheck,
        historyCursor: String?, sourceVersion: Instant, occurredAt: Instant, answerHash: String,
        steps: [StateStep] = []
    ) {
        self.key = key
        self.environment = environment
        self.snapshot = snapshot
        self.nextCheck = nextCheck
        self.historyCursor = historyCursor
        self.sourceVersion = sourceVersion
        self.occurredAt = occurredAt
        self.answerHash = answerHash
        self.steps = steps
    }
}

/// Another subscription of the customer that an answer showed: registered under the same account, asked by itself later.
package struct DiscoveredSubscription: Hashable, Sendable {
    package let key: SubscriptionKey
    package let appID: AppID
    package let store: StoreKind
    package let environment: PurchaseEnvironment
    package let storeKey: Secret
    package let productID: String?
    package let discoveredBy: SubscriptionKey
    package let receiptID: Int64?

    package init(
        key: SubscriptionKey, appID: AppID, store: StoreKind, environment: PurchaseEnvironment, storeKey: Secret,
        productID: String?, discoveredBy: SubscriptionKey, receiptID: Int64?
    ) {
        self.key = key
        self.appID = appID
        self.store = store
        self.environment = environment
        self.storeKey = storeKey
        self.productID = productID
        self.discoveredBy = discoveredBy
        self.receiptID = receiptID
    }
}

/// A known period that came back under a new transaction id: the first id stays.
package struct TransactionAlias: Hashable, Sendable {
    package let key: SubscriptionKey
    package let alias: String
    package let transactionID: String

    package init(key: SubscriptionKey, alias: String, transactionID: String) {
        self.key = key
        self.alias = alias
        self.transactionID = transactionID
    }
}

/// A purchase that continues an earlier one of the same customer.
package struct LineageLink: Hashable, Sendable {
    package let key: SubscriptionKey
    package let earlier: SubscriptionKey

    package init(key: SubscriptionKey, earlier: SubscriptionKey) {
        self.key = key
        self.earlier = earlier
    }
}

/// A check that failed: nothing of it is booked.
package struct FailedCheck: Hashable, Sendable {
    package let key: SubscriptionKey
    package let kind: NextCheck.FailureKind
    /// A word for the table (`not_found`, `timed_out`), never the store's text with an id in it.
    package let reason: String
    /// A sentence for people, free of tokens.
    package let message: String
    /// Failing nights in a row, this one included.
    package let failures: Int
    /// Nights since its last good answer on which the store refused it for now, this one included.
    package let refusals: Int
    package let nextCheck: NextCheck
    /// The state that follows from a failed check (`unreachable`, or `expired` after a 410); nil: unchanged.
    package let newState: SubscriptionState?
    /// Only with a `newState` that is ended.
    package let endedAt: Instant?
    /// Only with a `newState` that is ended.
    package let endReason: EndReason?
    /// It was out of reach before: that it still is, is nothing new.
    package let wasUnreachable: Bool

    package init(
        key: SubscriptionKey, kind: NextCheck.FailureKind, reason: String, message: String, failures: Int,
        refusals: Int = 0, nextCheck: NextCheck, newState: SubscriptionState? = nil, endedAt: Instant? = nil,
        endReason: EndReason? = nil, wasUnreachable: Bool = false
    ) {
        self.key = key
        self.kind = kind
        self.reason = reason
        self.message = message
        self.failures = failures
        self.refusals = refusals
        self.nextCheck = nextCheck
        self.newState = newState
        self.endedAt = endedAt
        self.endReason = endReason
        self.wasUnreachable = wasUnreachable
    }

    /// The store said something of its own about it, whatever it says. A server error without a body says nothing, though it may count
    /// against an id that alone meets it.
    package var isAnswered: Bool { kind != .transient && !Self.isServerError(reason) }

    /// By the reason of a failed request: `http_500` and the like, for answers without a body of the store's own.
    package static func isServerError(_ reason: String) -> Bool { reason.hasPrefix("http_5") }
}

/// Something of an answer that contradicts itself or cannot be read: a dead letter, its neighbours unharmed.
package struct SetAside: Hashable, Sendable {
    package var key: SubscriptionKey
    package let stage: String
    package let reason: String
    package let detail: String
    /// The transaction or order id of the row that it is about, or `unidentified`; nil: the whole answer.
    package let transactionID: String?

    /// What stands for the id of a row that shows none.
    package static let unidentified = "unidentified"
    /// What is longer is no id of a store's, and is cut. It is part of a key: Unicode scalars are counted, for a character may be made
    /// of any number of them.
    private static let longestID = 200

    package init(key: SubscriptionKey, stage: String, reason: String, detail: String, transactionID: String? = nil) {
        self.key = key
        self.stage = stage
        self.reason = reason
        self.detail = detail
        self.transactionID = transactionID.map {
            String(String.UnicodeScalarView($0.unicodeScalars.prefix(Self.longestID)))
        }
    }
}
