// SPDX-License-Identifier: Apache-2.0

import Model
import Operations

/// The story of a subscription for people.
struct ExplanationText: CustomStringConvertible {
    let story: Explanation
    let now: Instant
    let hasBodies: Bool

    init(_ story: Explanation, now: Instant, hasBodies: Bool) {
        self.story = story
        self.now = now
        self.hasBodies = hasBodies
    }

    var description: String {
        let head =
            story.subject.map(SubscriptionText.init).map(\.lines)
            ?? ["a one-time sale: nothing of it is asked about again"]
        let parts: [(String, [String])] = [
            ("Subscription \(story.key)", head), ("What became of it", story.changes.map(change)),
            ("Transactions and money", story.transactions.flatMap(transaction)),
            ("Set aside", story.deadLetters.map(deadLetter)), ("The store's answers", story.answers.flatMap(answer)),
        ]
        return parts.map { title, lines in
            ([title] + (lines.isEmpty ? ["none"] : lines).map { "  " + $0.printable }).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private func change(_ it: Explanation.StateChange) -> String {
        let facts = [
            it.state, it.stateRaw.map { "(\($0))" }, it.endReason.map { "because \($0)" }, it.productID,
            it.expiresAt.map { "expires \($0.iso8601)" }, it.autoRenew.map { $0 ? "renews" : "does not renew" },
            it.renewalPrice.map { "at \($0.micros.amount) \($0.currency)" },
            it.committedUntil.map { "committed until \($0.iso8601)" },
        ].compactMap(\.self).joined(separator: " ")
        let source = it.answerHash.map { ", answer \($0.prefix(12))" } ?? ""
        return "\(it.occurredAt.iso8601)  \(facts)  [run \(it.runID), learned \(it.recordedAt.iso8601)\(source)]"
    }

    private func transaction(_ it: Explanation.Transaction) -> [String] {
        let price = it.priceMicros.map { "\($0.amount) \(it.currency ?? "")" } ?? "price unknown"
        let facts = [
            it.kind, it.offerType, it.productID, it.basePlanID.map { "plan \($0)" },
            "\(it.periodStart.iso8601) to \(it.periodEnd?.iso8601 ?? "no end")",
            it.extendedUntil.map { "extended to \($0.iso8601)" },
            "\(price) (\(it.priceSource))", it.country.map { it.isCountryAssumed ? "\($0) (assumed)" : $0 },
            it.ownership == "purchased" ? nil : it.ownership.replacing("_", with: " "),
            it.bundleTransactionID.map { "included in \($0)" },
            it.seats.map { "\($0) seats held" }, it.storeDiscountMicros.map { "the store paid \($0.amount) of it" },
            it.refundedAt.map { "refunded \($0.iso8601) (\(refund(it)))" },
            it.versions > 1 ? "changed \(it.versions - 1) times" : nil,
            it.aliases.isEmpty ? nil : "also \(it.aliases.joined(separator: ", "))",
        ].compactMap(\.self).joined(separator: "  ")
        return ["\(it.id)  \(facts)  [run \(it.recordedRunID)]"] + it.entries.map(entry)
    }

    private func refund(_ it: Explanation.Transaction) -> String {
        let words = [
            it.refundKind ?? "full", it.refundReason == "chargeback" ? "charge-back" : nil,
            it.isRefundDerived ? "worked out" : nil,
        ]
        return words.compactMap(\.self).joined(separator: ", ")
    }

    private func entry(_ it: Explanation.Entry) -> String {
        "    \(it.kind) \(it.amountMicros.amount) \(it.currency) on \(it.occurredAt.iso8601)"
            + "  [run \(it.runID), learned \(it.recordedAt.iso8601), \(it.source)]"
    }

    private func deadLetter(_ it: Explanation.DeadLetter) -> String {
        let end = it.resolvedAt.map { "resolved \($0.iso8601)" } ?? "open"
        let row = it.transactionID.map { " (\($0))" } ?? ""
        return "\(it.createdAt.iso8601)  \(it.stage): \(it.reason)\(row): \(it.detail)  [\(end)]"
    }

    private func answer(_ it: Explanation.Answer) -> [String] {
        let head =
            "\(it.answeredAt.iso8601)  \(it.endpoint)  \(it.answerHash.prefix(12))"
            + "  \(it.bytes.grouped) bytes  [run \(it.runID)]"
        return [head] + (hasBodies ? it.body.split(whereSeparator: \.isNewline).map { "    " + $0 } : [])
    }
}
