// SPDX-License-Identifier: Apache-2.0

import Delivery

/// What became of `report --send`, for people.
struct DeliveryText: CustomStringConvertible {
    let outcome: ReportDelivery.Outcome

    init(_ outcome: ReportDelivery.Outcome) { self.outcome = outcome }

    var description: String {
        guard let issue = outcome.issue else { return "nothing to send: no report was issued yet" }
        guard !outcome.delivered.isEmpty || !outcome.failures.isEmpty else {
            return "nothing to send: \(issue) was sent to everybody whom it concerns"
        }
        let sent = outcome.delivered.map { "\(issue): sent to \($0)" }
        let failed = outcome.failures.map {
            "\(issue): not sent to \($0.recipient): \($0.reason). The next report --send tries again"
        }
        return (sent + failed).joined(separator: "\n").split(separator: "\n").map { String($0).printable }
            .joined(separator: "\n")
    }
}
