// SPDX-License-Identifier: Apache-2.0

import Delivery

/// What became of `report --send`, for people.
struct DeliveryText: CustomStringConvertible {
    let outcome: ReportDelivery.Outcome

    init(_ outcome: ReportDelivery.Outcome) { self.outcome = outcome }

    /// Why nothing was to be sent; nil where something was.
    var nothing: String? {
        guard let issue = outcome.issue else { return "nothing to send: no report was issued yet" }
        return outcome.delivered.isEmpty && outcome.failures.isEmpty
            ? "nothing to send: \(issue) was sent to everybody whom it concerns" : nil
    }

    var description: String {
        guard let issue = outcome.issue else { return "" }
        let sent = outcome.delivered.map { "\(issue): sent to \($0)" }
        let failed = outcome.failures.map {
            "\(issue): not sent to \($0.recipient): \($0.reason). The next report --send tries again"
        }
        return (sent + failed).joined(separator: "\n").split(separator: "\n").map { String($0).printable }
            .joined(separator: "\n")
    }
}
