// SPDX-License-Identifier: Apache-2.0

import Fetch
import Model
import Postgres
import Runs
import Stores
import Transform

extension PurchaseRound {
    /// An answer, and what it is about.
    private struct Reply {
        let answer: StoreAnswer
        let reading: Reading
        let items: [ResolvedItem]
    }

    typealias Answers = [Question: Result<ResolvedPurchase, StoreFailure>]

    func question(_ purchase: InboxPurchase, _ examined: ExaminedPurchase) -> Question {
        Question(key: handle(examined).key, purchaseID: examined.documents.isEmpty ? nil : purchase.id)
    }

    /// Resolves the answer to each question, once it is known of which subscriptions the answers speak.
    func resolve(
        _ asked: [(InboxPurchase, ExaminedPurchase)], about dues: [SubscriptionKey: DueSubscription],
        by outcomes: [FetchOutcome]
    ) async throws(PostgresError) -> Answers {
        var answers: [SubscriptionKey: Result<ReadAnswer, StoreFailure>] = [:]
        for outcome in outcomes { for due in outcome.inquiry.subscriptions { answers[due.key] = outcome.result } }
        var replies: [Question: Result<Reply, StoreFailure>] = [:]
        for (purchase, examined) in asked {
            let question = question(purchase, examined)
            guard replies[question] == nil, let due = dues[question.key] else { continue }
            let answer = examined.documents.isEmpty ? answers[question.key] : .success(ownAnswer(examined, due))
            replies[question] = answer?.flatMap { answer in reply(answer, to: examined) }
        }
        let observed = replies.values.flatMap { (try? $0.get().reading.observations) ?? [] }.map(key)
        let registered = try await known(observed)
        let known = dues.merging(registered) { before, now in
            var now = now
            now.checkRequests = min(before.checkRequests, now.checkRequests)
            return now
        }
        return replies.mapValues { $0.flatMap { reply in book(reply, known) } }
    }

    private func ownAnswer(_ purchase: ExaminedPurchase, _ due: DueSubscription) -> ReadAnswer {
        let answer = StoreAnswer(
            inquiry: Inquiry(subscriptions: [due]), environment: purchase.environment ?? app.environment,
            documents: purchase.documents, answeredAt: run.now)
        return ReadAnswer(answer, by: app.store)
    }

    private func reply(_ read: ReadAnswer, to purchase: ExaminedPurchase) -> Result<Reply, StoreFailure> {
        switch read.reading {
        case .success(let reading):
            let items = ResolvedItem.items(of: reading, askedWith: purchase.handle, app: app.id)
            // A receipt's placeholder is in no answer, and that is no fault of its rows.
            let cause = reading.setAside.first { $0.fault != .notInReceipt }
            if items.isEmpty, let cause {
                return .failure(StoreFailure(.unreadable, reason: cause.reason, message: cause.detail))
            }
            return .success(Reply(answer: read.answer, reading: reading, items: items))
        case .failure(let error):
            return .failure(StoreFailure(.unreadable, reason: error.reason, message: error.message))
        }
    }

    private func book(
        _ reply: Reply, _ known: [SubscriptionKey: DueSubscription]
    ) -> Result<ResolvedPurchase, StoreFailure> {
        guard !reply.items.isEmpty else { return .failure(.containsNothing) }
        let asker = reply.answer.inquiry.subscriptions.first
        let due = reply.items.map { item in
            known[item.key]?.adding(productID: asker?.productID, receipt: asker?.receipt)
                ?? DueSubscription(
                    new: item.storeKey, of: app.id, environment: item.environment,
                    productID: asker?.productID ?? item.productID, receipt: asker?.receipt, now: run.now)
        }
        // Other subscriptions whose state the answer reports, too: what is known of them must not be forgotten.
        let keys = Set(reply.items.map(\.key))
        let others = reply.reading.observations.filter {
            $0.status != nil && !$0.isSubstitute && !keys.contains(key($0))
        }
        let read = readAgain(reply, about: due + others.compactMap { known[key($0)] })
        return Result { () throws(StoreFailure) in
            try transform.resolved(read, reply.reading, about: reply.items, now: run.now)
        }
    }

    /// The answer as one about these subscriptions.
    ///
    /// Where it was asked about them, it says the same and is not read again.
    private func readAgain(_ reply: Reply, about due: [DueSubscription]) -> ReadAnswer {
        let answer = StoreAnswer(
            inquiry: Inquiry(subscriptions: due), environment: reply.answer.environment,
            documents: reply.answer.documents, answeredAt: reply.answer.answeredAt)
        let isSame = due.map(\.storeKey) == reply.answer.inquiry.subscriptions.map(\.storeKey)
        return isSame ? ReadAnswer(answer, reading: .success(reply.reading)) : ReadAnswer(answer, by: app.store)
    }

    private func key(_ observation: Observation) -> SubscriptionKey {
        SubscriptionKey(appID: app.id, storeKey: observation.storeKey.reveal())
    }
}

extension StoreFailure {
    /// An answer that shows nothing, and hides nothing either.
    static let containsNothing = StoreFailure(
        .unreadable, reason: "holds_nothing", message: "The store's answer shows no purchase.")
}
