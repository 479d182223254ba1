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
