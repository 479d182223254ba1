// SPDX-License-Identifier: Apache-2.0

import Model
import Rendering

/// An alert in words.
struct AlertText {
    let texts: MessageTexts
    let summary: IssueSummary
    let now: Instant

    func sentence(_ alert: Alert) -> String {
        switch alert {
        case .notReconciled: texts["notReconciled", "verdict", summary.verdict]
        case .missingReports(let dates): texts["missingReports", "dates", dates.joined(separator: ", ")]
        case .stale(let app, let checked?):
            texts[
                "stale", "app", app, "hours", String((now - checked).micros / Span.hours(1).micros), "instant",
                checked.iso8601]
        case .stale(let app, nil): texts["neverRead", "app", app]
        case .refunds(let week, let usual): amounts("refunds", week, usually: usual)
        case .netRevenue(let week, let usual): amounts("netRevenue", week, usually: usual)
        case .mrr(let now, let before): amounts("mrr", now, usually: before)
        case .churnReason(let reason, let now, let before):
            texts["churnReason", "reason", texts[reason], "now", share(now), "before", share(before)]
        case .unknownValues(let count): texts["unknownValues", "count", AmountText.count(count)]
        case .missingPrices(let app, let count):
            texts["missingPrices", "app", app, "count", AmountText.count(count)]
        }
    }

    private func amounts(_ name: String, _ amount: Int64, usually usual: Int64) -> String {
        texts[
            name, "amount", AmountText.amount(amount, in: summary.currency), "usual",
            AmountText.amount(usual, in: summary.currency), "currency", summary.currency]
    }

    private func share(_ share: Alert.Share) -> String { AmountText.share(share.part, of: share.whole) ?? "–" }
}
