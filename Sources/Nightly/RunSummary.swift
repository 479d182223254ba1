// SPDX-License-Identifier: Apache-2.0

package import Model
package import Runs

/// What a night did, as it is printed at its end.
package struct RunSummary: Sendable {
    /// The money a run learned of, in one currency.
    package struct Revenue: Sendable, Hashable {
        package let currency: String
        package let charges: Int64
        package let grossMicros: Int64
        package let refundedMicros: Int64
    }

    package var runID: Int64?
    package var businessDate: BusinessDate
    package var result: RunResult
    /// Due, checked, renewed, ended, refunded and so on, by name.
    package var counts: [String: Int64]
    package var revenue: [Revenue]
    /// Apps that their store stopped, each with what to do.
    package var stoppedApps: [(app: AppID, message: String)]
    package var reportPath: String?

    package var outcome: Run.Outcome { result.outcome }
}
