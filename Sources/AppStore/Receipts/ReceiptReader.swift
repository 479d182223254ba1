// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores

/// Reads one answer of `verifyReceipt`: an answer to a receipt is about all the subscriptions in it.
struct ReceiptReader {
    let answer: StoreAnswer
    let bundleID: String

    private var refused: [RefusedRow] = []
    private var unknownValues = UnknownValueCounts()
    /// The transactions that a bundle took the place of.
    private var replaced: Set<String> = []

    init(answer: StoreAnswer, bundleID: String) {
        self.answer = answer
        self.bundleID = bundleID
    }

    mutating func read() throws(UnreadableAnswer) -> Reading {
        guard let document = answer.documents.first,
            let receipt: ReceiptAnswer = document.read()
        else {
            throw UnreadableAnswer(
                .malformedJSON,
                message: "The App Store's answer (verify_receipt) is not the JSON it documents.")
        }
        try checkOrigin(receipt)
        guard let requestedAt = receipt.receipt?.requestDate.best ?? answer.answeredAt else {
            throw UnreadableAnswer(reason: "no_request_date", message: "The App Store's answer has no request date.")
        }
        unknownValues.note(fields: receipt.unknownFields, of: "receipt")
        let periods = periods(of: receipt, requestedAt: requestedAt)
        let state = ReceiptState(
            requestedAt: requestedAt, pending: receipt.pendingRenewals, replaced: replaced,
            isSaidExpired: receipt.status == ReceiptStatus.validButExpired)
        let observations = observations(periods, state)
        refuseAbsent(among: observations)
        return Reading(
            observations: observations, archive: [ReceiptArchive.document(of: document)],
            replacedReceipt: replacedReceipt(receipt), setAside: refused, unknownValues: unknownValues.counts)
    }

    private func checkOrigin(_ receipt: ReceiptAnswer) throws(UnreadableAnswer) {
        guard let bundle = receipt.receipt?.bundleID else {
            throw UnreadableAnswer(.missingBundle, message: "The receipt names no app.")
        }
        guard bundle == bundleID else {
            throw UnreadableAnswer(.wrongBundle, message: "The receipt is about another app.")
        }
        if let environment = receipt.environment, environment != answer.environment.storeName {
            throw UnreadableAnswer(
                .wrongEnvironment, message: "The receipt is not of the environment that was asked.")
        }
    }

    /// Both lists united by period; the first image wins, for `in_app` lags behind.
    private mutating func periods(of receipt: ReceiptAnswer, requestedAt: Instant) -> [ObservedPeriod] {
        var seen: Set<String> = []
        var periods: [ObservedPeriod] = []
        for row in receipt.latestRows + (receipt.receipt?.inApp ?? []) {
            guard let row else {
                refused.append(RowRefusal.unreadableElement.row(of: nil))
                continue
            }
            if let key = row.periodKey, !seen.insert(key).inserted { continue }
            do throws(RowRefusal) {
                periods.append(try row.period(sourceVersion: requestedAt, unknownValues: &unknownValues))
                if row.gaveWayToBundle, let id = row.transactionID { replaced.insert(id) }
            } catch {
                refused.append(error.of(row.transactionID).row(of: row.originalTransactionID))
            }
        }
        return periods
    }

    private func observations(_ periods: [ObservedPeriod], _ state: ReceiptState) -> [Observation] {
        let groups = Dictionary(grouping: periods, by: \.originalTransactionID)
        return groups.sorted { $0.key < $1.key }.map { id, periods in
            Observation(
                storeKey: Secret(id), environment: answer.environment, status: state.status(of: id, periods: periods),
                periods: periods.sorted { ($0.start, $0.transactionID) < ($1.start, $1.transactionID) })
        }
    }

    /// Somebody registered a subscription with a receipt that it is not in.
    ///
    /// A one-time purchase that was used up is in none.
    private mutating func refuseAbsent(among observations: [Observation]) {
        // One whose rows were all refused is in it.
        let observed = Set(observations.map(\.storeKey)).union(refused.compactMap(\.storeKey))
        let subscriptions = answer.inquiry.subscriptions.filter { !$0.isSale }
        for subscription in subscriptions where !observed.contains(subscription.storeKey) {
            refused.append(
                RefusedRow(
                    storeKey: subscription.storeKey, reason: AnswerFault.notInReceipt.rawValue,
                    detail: "The receipt this subscription was registered with does not hold it.",
                    transactionID: nil))
        }
    }

    private func replacedReceipt(_ receipt: ReceiptAnswer) -> Receipt? {
        guard let latest = receipt.latestReceipt,
            let asked = answer.inquiry.subscriptions.lazy.compactMap(\.receipt).first,
            asked.data.reveal() != latest
        else { return nil }
        return Receipt(id: asked.id, data: Secret(latest))
    }
}
