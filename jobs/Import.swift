// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Imports
import Model

/// Takes files in.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Takes files in: good lines go in, bad ones are named, nothing goes in twice.",
        discussion: JobEnding.help,
        subcommands: [
            Subscriptions.self, Products.self, Prices.self, ExchangeRates.self, CommissionRules.self, TaxRates.self,
        ])

    struct Subscriptions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Purchases to follow, JSON Lines or CSV.",
            discussion: """
                Columns: app_id, store_key (the App Store's original transaction id), and optionally account_id, \
                product_id, environment, expires_at, country, receipt. In apps read by receipts the receipt (base64) \
                may stand instead of the store_key.

                \(JobEnding.help)
                """)

        @OptionGroup var options: SharedOptions
        @OptionGroup var input: ImportInput

        func run() async throws {
            // Read before signals are trapped: who waits at a terminal's stdin can leave with Ctrl-C.
            let content = Result { () throws(UsageError) in try input.content() }
            try await Job.perform(options) { context in
                let file = ImportFile(try content.get())
                let outcome = try await context.withMigratedSessions(1) { sessions in
                    try await SubscriptionImport(
                        sessions: sessions, logger: context.logger, leaseSeconds: context.configuration.leaseSeconds
                    ).run(file, apps: apps(context), now: context.now, businessDate: context.businessDate)
                }
                return report(outcome, on: context.console)
            }
        }

        private func apps(_ context: JobContext) -> [SubscriptionImport.App] {
            context.configuration.apps.map {
                SubscriptionImport.App(id: $0.id, store: $0.kind, readsReceipts: $0.readsReceipts)
            }
        }

        private func report(_ outcome: SubscriptionImport.Outcome, on console: Console) -> JobEnding {
            for line in outcome.bad { console.complain("\(input.name):\(line.number): \(line.reason)", isPlain: true) }
            let known = outcome.good - outcome.new
            console.write(
                "\(outcome.good) lines taken (\(outcome.new) new subscriptions, \(known) known), "
                    + "\(outcome.bad.count) refused")
            if outcome.bad.isEmpty { return .done }
            return outcome.good > 0 ? .partial : .failed
        }
    }
}

extension JobContext {
    /// The last complete day before now in the report time zone.
    var businessDate: BusinessDate {
        BusinessDate(lastCompleteDayBefore: now, in: configuration.reports.timeZone)
    }

    /// The day of now in the report time zone.
    var today: BusinessDate {
        BusinessDate(lastCompleteDayBefore: now + .days(1), in: configuration.reports.timeZone)
    }
}
