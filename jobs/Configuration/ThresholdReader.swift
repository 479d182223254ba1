// SPDX-License-Identifier: Apache-2.0

import Delivery
import Model

/// Reads `reports.send.alerts`: each threshold has a default, and `off` takes it away.
struct ThresholdReader {
    private static let keys = [
        "stale_after", "refunds_above", "churn_shift", "net_revenue_below", "mrr_below", "unknown_values",
        "missing_prices",
    ]
    let section: Section

    /// Nil only where something was found.
    func read() -> AlertThresholds? {
        guard let alerts = section.section("alerts", keys: Self.keys) else { return nil }
        var thresholds = AlertThresholds()
        read("stale_after", of: alerts, into: &thresholds.staleAfter) { alerts.span($0) }
        read("refunds_above", of: alerts, into: &thresholds.refundsAbove) { alerts.percent($0, in: 100...10_000) }
        read("churn_shift", of: alerts, into: &thresholds.churnShift) { alerts.percent($0) }
        read("net_revenue_below", of: alerts, into: &thresholds.netRevenueBelow) { alerts.percent($0) }
        read("mrr_below", of: alerts, into: &thresholds.mrrBelow) { alerts.percent($0) }
        read("unknown_values", of: alerts, into: &thresholds.unknownValues) { alerts.integer($0, in: 1...Int64.max) }
        read("missing_prices", of: alerts, into: &thresholds.missingPrices) { alerts.integer($0, in: 1...Int64.max) }
        return thresholds
    }

    private func read<Value>(
        _ key: String, of alerts: Section, into threshold: inout Value?, _ value: (String) -> Value?
    ) {
        guard alerts.has(key) else { return }
        threshold = alerts.isOff(key) ? nil : value(key)
    }
}
