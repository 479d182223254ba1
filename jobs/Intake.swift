// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Intake
import Model
import Runs

/// Assesses the purchases that the backend handed in.
struct Intake: AsyncParsableCommand {
    /// Refused purchases that are named; all of them are in the inbox with their reasons.
    private static let named = 20

    static let configuration = CommandConfiguration(
        abstract: "Checks the purchases that your backend handed in.",
        discussion: """
            Looks at the pending rows of subledger.purchase_inbox: did the store issue it, is it for this app, is it new, \
            has it expired? What is accepted is registered and booked at once; what cannot be judged now waits for the \
            next run. Run it as often as you like.

            \(JobEnding.help)
            """)

    @OptionGroup var options: SharedOptions

    @Option(name: .customLong("app"), help: "Only this app; may be given several times.")
    var apps: [String] = []

    func run() async throws {
        try await Job.perform(options, reading: .ofApps(apps)) { context in
            let factory = StoreFactory(context.configuration, now: context.now, logger: context.logger)
            let apps = try factory.apps(context.apps(named: apps))
            var options = IntakeRun.Options(now: context.now, businessDate: context.businessDate)
            options.waiting = context.waiting
            options.leaseSeconds = context.configuration.leaseSeconds
            let summary = try await context.withMigratedSessions(1, persistingCurrency: false) { [options] sessions in
                // Where its session is lost it begins again, with the run that it had: what is judged is pending no more.
                try await factory.sharingPace(through: QuotaSlices(sessions, isPreferred: true)) {
                    try await sessions.use { connection in
                        try await IntakeRun(
                            connection: connection, database: sessions.database, apps: apps, options: options,
                            logger: context.logger
                        ).run()
                    }
                }
            }
            let ending = JobEnding(summary.result)
            // What is refused concerns a customer: it is named whether or not the job ended well.
            context.writeSummary(
                text(summary, apps.map(\.id)), of: ending, isWorthReading: !summary.refused.isEmpty)
            return ending
        }
    }

    private func text(_ summary: IntakeSummary, _ apps: [AppID]) -> String {
        var lines = apps.map { app in
            let tally = summary.tallies[app, default: IntakeSummary.Tally()]
            return "\(app): \(tally.accepted) accepted (\(tally.new) new), \(tally.refused) refused, "
                + "\(tally.waiting) waiting"
        }
        lines += summary.refused.prefix(Self.named).map { "purchase \($0.purchaseID) refused: \($0.reason)" }
        let unnamed = summary.refused.count - Self.named
        if unnamed > 0 { lines.append("… and \(unnamed) more: subledger.purchase_inbox has their reasons") }
        lines += summary.stoppedApps.map { StoppedText.line($0.app.rawValue, $0.message) }
        return lines.joined(separator: "\n")
    }
}
