// SPDX-License-Identifier: Apache-2.0

import Extract
import Fetch
import Logging
import Model
import Postgres
import Runs
import Stores
import Transform

/// Assesses some purchases of one app: examines each, asks the store about those that it must answer for, and reads
/// what it says.
///
/// Nothing is written, and no transaction is open while the store is asked.
struct PurchaseRound {
    /// What the store is asked about, or a purchase that is its own answer.
    struct Question: Hashable {
        let key: SubscriptionKey
        /// Only for a purchase that is its own answer.
        let purchaseID: Int64?
    }

    /// The purchases that were assessed, and why the store stopped being asked.
    struct Outcome {
        /// In the order given; those that a stop cut off are not among them.
        var assessed: [AssessedPurchase]
        var stopped: StoreFailure?
    }

    let app: StoreApp
    let run: Run
    let connection: PostgresConnection
    let transform: TransformStage
    /// The charges that are looked at again, in days after the charge.
    let refundWatchDays: [Int64]
    let logger: Logger

    func assess(_ purchases: [InboxPurchase]) async throws -> Outcome {
        let examinations = purchases.map { ($0, examine($0)) }
        let asked = examinations.compactMap { purchase, examination in
            if case .toAsk(let examined) = examination { (purchase, examined) } else { nil }
        }
        let dues = try await dues(of: asked)
        let fetched = await FetchStage(
            store: app.store, client: app.client, maxInFlight: app.maxInFlight, logger: logger
        ).fetch(questions(asked, dues))
        try Task.checkCancellation()
        let answers = try await resolve(asked, about: dues, by: fetched.outcomes)
        return Outcome(
            assessed: examinations.compactMap { purchase, examination in
                assessed(purchase, examination, by: answers, about: dues)
            },
            stopped: fetched.stopped)
    }

    /// An account that nothing may be registered under is not asked for.
    private func examine(_ purchase: InboxPurchase) -> Examination {
        guard PlainText.isPlain(purchase.accountID ?? "") else {
            return .refused(.unusable("Its account_id holds control characters or is longer than 1000 bytes."))
        }
        return app.store.examine(purchase.purchase)
    }

    /// Each subscription that is asked about, with what is known of it.
    private func dues(
        of asked: [(InboxPurchase, ExaminedPurchase)]
    ) async throws(PostgresError) -> [SubscriptionKey: DueSubscription] {
        var dues = try await known(asked.map { handle($0.1).key })
        for (_, purchase) in asked {
            let handle = handle(purchase)
            dues[handle.key] =
                dues[handle.key]?.adding(productID: purchase.productID, receipt: handle.receipt)
                ?? DueSubscription(
                    new: handle.storeKey, of: app.id, environment: purchase.environment, productID: purchase.productID,
                    receipt: handle.receipt, now: run.now)
        }
        return dues
    }

    func known(_ keys: [SubscriptionKey]) async throws(PostgresError) -> [SubscriptionKey: DueSubscription] {
        let read = try await ExtractStage(connection: connection).read(
            keys: Array(Set(keys)), now: run.now, isAudit: false,
            refundWatchDays: refundWatchDays)
        return Dictionary(read.map { ($0.key, $0) }) { first, _ in first }
    }

    /// In the order of the purchases, each once; those that are their own answer are not asked about.
    private func questions(
        _ asked: [(InboxPurchase, ExaminedPurchase)], _ dues: [SubscriptionKey: DueSubscription]
    ) -> [DueSubscription] {
        var seen: Set<SubscriptionKey> = []
        return asked.filter { $0.1.documents.isEmpty }.map { handle($0.1).key }
            .filter { seen.insert($0).inserted }.compactMap { dues[$0] }
    }

    /// A receipt is asked about under a name made of its text: only the answer lists the purchases in it.
    func handle(_ purchase: ExaminedPurchase) -> (storeKey: Secret, key: SubscriptionKey, receipt: Receipt?) {
        switch purchase.handle {
        case .storeKey(let storeKey):
            return (storeKey, SubscriptionKey(appID: app.id, storeKey: storeKey.reveal()), nil)
        case .receipt(let data):
            let digest = SubscriptionKey(appID: app.id, storeKey: data.reveal())
            let storeKey = Secret(Receipt.placeholderPrefix + digest.description)
            return (
                storeKey, SubscriptionKey(appID: app.id, storeKey: storeKey.reveal()),
                Receipt(id: digest.rawValue, data: data)
            )
        }
    }
}

extension PurchaseRound {
    /// Nil: the store stopped before it could be asked.
    private func assessed(
        _ purchase: InboxPurchase, _ examination: Examination, by answers: Answers,
        about dues: [SubscriptionKey: DueSubscription]
    ) -> AssessedPurchase? {
        switch examination {
        case .refused(let refusal):
            return AssessedPurchase(inbox: purchase, examined: nil, opinion: .refused(refusal))
        case .undecided(let failure):
            return AssessedPurchase(inbox: purchase, examined: nil, opinion: .undecided(failure))
        case .toAsk(let examined):
            let question = question(purchase, examined)
            guard let result = answers[question], let due = dues[question.key] else { return nil }
            return AssessedPurchase(
                inbox: purchase, examined: examined, opinion: opinion(on: examined, from: purchase, result, about: due))
        }
    }

    private func opinion(
        on purchase: ExaminedPurchase, from inbox: InboxPurchase, _ result: Result<ResolvedPurchase, StoreFailure>,
        about due: DueSubscription
    ) -> AssessedPurchase.Opinion {
        switch result {
        case .success(let resolved):
            guard purchase.isBoundToProduct, let product = purchase.productID, !resolved.products.contains(product)
            else {
                return .genuine(resolved)
            }
            return .refused(.notGenuine("The store knows this purchase, for another product than it names."))
        case .failure(.containsNothing):
            return .refused(.empty("The store issued it, and no purchase is in it."))
        case .failure(let failure) where purchase.isProven && failure.kind == .notFound:
            return .genuine(transform.unconfirmed(purchase, failure, due: due, now: run.now))
        case .failure(let failure):
            let refusal = app.store.refusal(for: failure, afterAttempts: inbox.attempts)
            return refusal.map { .refused($0) } ?? .undecided(failure)
        }
    }
}
