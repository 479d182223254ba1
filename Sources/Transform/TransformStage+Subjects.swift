// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension TransformStage {
    /// The subscriptions that the answer shows, each once; one-time sales are booked on the way.
    func subjects(of reading: Reading, _ context: AnswerContext, into rows: inout ChunkRows) -> [ObservedSubscription] {
        var subjects: [ObservedSubscription] = []
        var places: [SubscriptionKey: Int] = [:]
        for observation in reading.observations {
            let periods = soundPeriods(of: observation, context, into: &rows)
            if let token = observation.askedWith.flatMap(context.due), observation.isSale {
                rows.soldUnder[token.key] = context.key(of: observation.storeKey, in: appID)
            }
            let due = context.due(observation.storeKey)
            guard due != nil || observation.status != nil || !periods.isEmpty else { continue }
            // The id is not registered: nothing is to be closed. And a one-time product has no state.
            guard due != nil || !observation.isSubstitute, due == nil || !observation.isSale else { continue }
            let key = context.key(of: observation.storeKey, in: appID)
            let subject = ObservedSubscription(observation, key: key, due: due, periods: periods)
            if let place = places[key] {
                subjects[place].merge(subject)
            } else {
                places[key] = subjects.count
                subjects.append(subject)
            }
        }
        return subjects
    }

    private func soundPeriods(
        of observation: Observation, _ context: AnswerContext, into rows: inout ChunkRows
    ) -> [ObservedPeriod] {
        observation.periods.filter { period in
            if let contradiction = Contradiction(in: period) {
                let key = context.key(of: observation.storeKey, in: appID)
                rows.setAside.append(contradiction.setAside(key))
                return false
            }
            guard !period.isAutoRenewable else { return true }
            bookSale(period, in: observation.environment, context, into: &rows)
            return false
        }
    }

    /// What becomes of the subscriptions that were asked about, when the answer did not show them.
    func settleAskers(
        _ context: AnswerContext, observed: Set<SubscriptionKey>, soldOnce: Set<Secret>, reportsPurchases: Bool,
        into rows: inout ChunkRows
    ) {
        for due in context.due where !observed.contains(due.key) {
            guard !due.isSale else {
                settle(lookedAt: due, into: &rows)
                continue
            }
            let isSale = rows.transactions.contains { $0.key == due.key && $0.kind == .oneTime }
            if isSale || soldOnce.contains(due.storeKey) || (due.isPlaceholder && reportsPurchases) {
                rows.placeholders.append(due.key)
                // What it waited for is booked under the sale's own key, or will never be.
                if !due.awaited.isEmpty { rows.awaited[due.key] = [] }
            } else {
                settle(absent: due, into: &rows)
            }
        }
    }

    /// One whose rows were all set aside was answered, and cannot be taken yet.
    private func settle(absent due: DueSubscription, into rows: inout ChunkRows) {
        if let cause = rows.setAside.first(where: { $0.key == due.key && $0.transactionID != nil }) {
            let failure = StoreFailure(.transient, reason: cause.reason, message: cause.detail)
            return rows.failures.append(failedCheck(.unreadable, failure, of: due))
        }
        let failure = StoreFailure(
            .notFound, reason: "not_in_answer",
            message: "The store answered without the subscription it was asked about: it is asked again.")
        self.failure(failure, of: due, into: &rows)
    }
}

extension Observation {
    /// One-time products only, under this id.
    fileprivate var isSale: Bool {
        status == nil && !periods.isEmpty && !periods.contains(where: \.isAutoRenewable)
    }
}
