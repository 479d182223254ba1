// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Model
import Notifications
import Runs
import Stores

/// What the stores send unasked.
struct Notifications: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads the notifications in the inbox and fetches what the stores keep; exports them.",
        discussion: JobEnding.help, subcommands: [Read.self, Export.self], defaultSubcommand: Read.self)

    struct Read: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes due what notifications are about (the default).",
            discussion: """
                A notification is a hint: it books nothing, its subscription is asked about by the next night. Each is \
                checked for its origin and handled once, however often it comes. nightly does the same before it asks.

                \(JobEnding.help)
                """)

        @OptionGroup var options: SharedOptions

        @Option(name: .customLong("app"), help: "Only this app; may be given several times.")
        var apps: [String] = []

        @Flag(inversion: .prefixedNo, help: "Fetch what the stores keep, besides reading the inbox.")
        var pull = true

        func run() async throws {
            try await Job.perform(options, reading: .ofApps(apps)) { context in
                let factory = StoreFactory(context.configuration, now: context.now, logger: context.logger)
                let apps = try factory.apps(context.apps(named: apps))
                let summary = try await context.withMigratedSessions(1) { sessions in
                    try await factory.sharingPace(through: QuotaSlices(sessions)) {
                        try await NotificationJob(
                            sessions: sessions, logger: context.logger, leaseSeconds: context.configuration.leaseSeconds
                        ).run(
                            apps, now: context.now, businessDate: context.businessDate, pulls: pull,
                            waiting: context.waiting)
                    }
                }
                let ending = JobEnding(summary.result)
                context.writeSummary("\(NotificationText(summary))", of: ending)
                return ending
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes the notifications as a flat CSV.",
            discussion: """
                A line for each notification that was not refused, a column for each dotted path, such as \
                unified_receipt.latest_receipt_info.0.product_id; an array stands for its first element, and a path \
                that leads nowhere is blank. Signed parts are decoded: data.transaction.productId, \
                data.renewal.autoRenewStatus. Besides: date, length, app_id, source, state, reason, handled_at. \
                Passwords, receipts, tokens and identifiers of devices are never written.

                \(JobEnding.help)
                """)

        @OptionGroup var options: SharedOptions

        @Option(help: "The file to write; else stdout.")
        var out: String?

        @Option(help: "A file with one column on each line; else those of the well-known spreadsheet.")
        var columns: String?

        @Option(help: "Only what was received at or after this instant (ISO 8601).")
        var since: Instant?

        @Option(help: "Only notifications of this source: app_store_v1, app_store_v2 or play_rtdn.")
        var source: NotificationSource?

        func run() async throws {
            try await Job.perform(options) { context in
                let columns = try exportColumns()
                let apps = Dictionary(context.configuration.apps.map { ($0.id, $0) }) { first, _ in first }
                let output = try ExportOutput(path: out)
                let count = try await context.readingSessions { sessions in
                    try await NotificationExport(sessions: sessions, columns: columns) { apps[$0]?.readable($1) }.write(
                        NotificationExport.Choice(since: since, source: source), to: output.write)
                }
                try output.finish()
                if let out { context.console.write("\(count) notifications written to \(out)") }
                return .done
            }
        }

        private func exportColumns() throws(UsageError) -> ExportColumns {
            guard let columns else { return .spreadsheet }
            guard let content = FileManager.default.contents(atPath: columns) else {
                throw UsageError("\(columns): no such file, or not readable")
            }
            guard let chosen = ExportColumns(lines: String(decoding: content, as: UTF8.self)) else {
                throw UsageError("\(columns): names no column: write one dotted path on each line")
            }
            return chosen
        }
    }
}

extension NotificationSource: ExpressibleByArgument {}
