// SPDX-License-Identifier: Apache-2.0

import Model
import Nightly
import Runs

/// What a night says at its end.
struct SummaryText: CustomStringConvertible {
    /// The order in which counts are printed; others follow by name.
    private static let order = [
        "due", "checked", "renewed", "ended", "refunded", "discovered", "unread", "dead_letters", "changed",
        "would_book", "would_end", "set_aside", "calls", "retries", "throttled",
    ]
    let summary: RunSummary

    init(_ summary: RunSummary) { self.summary = summary }

    var description: String {
        let run = summary.runID.map { "run \($0)" } ?? "dry run, nothing was written"
        let head = "\(summary.businessDate) (\(run)): \(summary.outcome.rawValue)"
        let stopped = summary.stoppedApps.map { "  " + StoppedText.line($0.app.rawValue, $0.message) }
        let unknown = unknown.line.map { ["  unknown to this version: \($0)"] } ?? []
        let report = summary.reportPath.map { ["  report: \($0)/report.html"] } ?? []
        return ([head, "  " + counts] + revenue + unknown + stopped + report).joined(separator: "\n")
    }

    private var unknown: UnknownText { UnknownText(summary.counts) }

    private var counts: String {
        let counts = unknown.known
        let rest = counts.keys.filter { !Self.order.contains($0) }.sorted()
        return (Self.order + rest).compactMap { name in
            counts[name].map { "\(name.replacing("_", with: " ")) \($0.grouped)" }
        }.joined(separator: " · ")
    }

    private var revenue: [String] {
        guard !summary.revenue.isEmpty else { return [] }
        return ["  booked tonight:"]
            + summary.revenue.map { money in
                "    \(money.currency): \(money.charges.grouped) charges, gross \(money.grossMicros.amount)"
                    + ", refunded \(money.refundedMicros.amount)"
            }
    }
}
