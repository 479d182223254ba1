// SPDX-License-Identifier: Apache-2.0

package import Model
package import Runs

/// What became of the purchases that a run looked at.
package struct IntakeSummary: Sendable {
    /// The purchases of one app.
    package struct Tally: Sendable, Hashable {
        package var accepted = 0
        /// Of the accepted: not known before.
        package var new = 0
        package var refused = 0
        /// They wait for a later run.
        package var waiting = 0

        package init() {}

        /// The store said what one of them is.
        var isAnswered: Bool { accepted + refused > 0 }
    }

    /// A purchase that was refused.
    package struct Refused: Sendable, Hashable {
        package let app: AppID
        package let purchaseID: Int64
        /// A sentence, without any token or receipt.
        package let reason: String
    }

    package internal(set) var result = RunResult.done
    package internal(set) var tallies: [AppID: Tally] = [:]
    package internal(set) var refused: [Refused] = []
    /// Apps that could not be finished, each with what to do.
    package internal(set) var stoppedApps: [(app: AppID, message: String)] = []

    package var outcome: Run.Outcome { result.outcome }

    /// Purchases that are counted as waiting.
    private var waiting: Set<Int64> = []

    mutating func count(_ verdicts: [PurchaseVerdict], of app: AppID) {
        for verdict in verdicts {
            // Looked at again: when a night beside which it waited was sealed.
            if waiting.remove(verdict.purchaseID) != nil { tallies[app, default: Tally()].waiting -= 1 }
            switch verdict.state {
            case .accepted:
                tallies[app, default: Tally()].accepted += 1
                if verdict.isNew == true { tallies[app, default: Tally()].new += 1 }
            case .refused:
                tallies[app, default: Tally()].refused += 1
                refused.append(Refused(app: app, purchaseID: verdict.purchaseID, reason: verdict.reason ?? ""))
            case .pending:
                waiting.insert(verdict.purchaseID)
                tallies[app, default: Tally()].waiting += 1
            }
        }
    }

    func counts(of apps: [AppID]) -> [String: Int64] {
        func sum(_ path: KeyPath<Tally, Int>) -> Int64 {
            Int64(apps.reduce(0) { $0 + (tallies[$1]?[keyPath: path] ?? 0) })
        }
        return [
            "accepted": sum(\.accepted), "new": sum(\.new), "refused": sum(\.refused), "waiting": sum(\.waiting),
        ]
    }
}
