// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Model
import Nightly
import Notifications
import Rendering
import Runs

/// The night: Extract → Fetch → Transform → Load → Reports.
struct Nightly: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks what is due and writes the reports.",
        discussion: """
            Asks the stores about every subscription whose next check is due, books what they say, and writes the \
            reports of the last complete day. Safe to run again: it goes on where an interrupted night stood. Schedules call it \
            with --once, several times a morning: what the day has had already is not done again.

            \(JobEnding.help)
            """)

    @OptionGroup var options: SharedOptions

    @Option(name: .customLong("app"), help: "Only this app; may be given several times.")
    var apps: [String] = []

    @Flag(help: "Every subscription that is not closed, due or not.")
    var all = false

    @Option(help: "Chunks worked on at once.")
    var workers = ConnectionNeed.usualWorkers

    @Flag(inversion: .prefixedNo, help: "Write the reports.")
    var reports = true

    @Flag(help: "Ask the stores and print what would change; write nothing.")
    var dryRun = false

    @Flag(
        help: """
            Nothing, where a night of this business date has finished every app, no failed check is due and the report is \
            written; else a night, whose report is a new issue only where it differs from the date's last.
            """)
    var once = false

    func validate() throws {
        guard !once || !all && !dryRun else {
            throw ValidationError("--once excludes --all and --dry-run: they ask what a night does not")
        }
        guard (1...64).contains(workers) else { throw ValidationError("--workers takes a number from 1 to 64") }
    }

    func run() async throws {
        let pings = dryRun ? nil : NightPings(config: options.config)
        try await Job.perform(options, reading: .ofApps(apps), ended: { await pings?.end($0) }) { context in
            pings?.use(context)
            let factory = StoreFactory(
                context.configuration, now: context.now, patience: context.configuration.nightly.waitForStore,
                logger: context.logger)
            let apps = try factory.apps(context.apps(named: apps, orNone: once), loading: workers)
            let options = nightlyOptions(context)
            guard !apps.isEmpty else { return try await writeOwedReports(context, options, pings: pings) }
            let summary: RunSummary? = try await context.withMigratedSessions(workers) { sessions in
                if once, try await isDone(apps.map(\.id), options, through: sessions) { return nil }
                try await sessions.use {
                    try await UnconfiguredApps.warn(
                        besides: context.configuration.apps.map(\.id), on: $0, context.logger)
                }
                if !dryRun { try await context.examineReports(isWriting: reports, through: sessions) }
                let progress = ProgressDisplay(
                    console: context.console, isQuiet: context.isQuiet, writesReports: reports)
                let night = NightlyRun(
                    sessions: sessions, apps: apps, options: options, logger: context.logger, progress: progress,
                    listening: { run, apps, limit in
                        pings?.start()
                        return try await StoreListener(sessions: sessions, logger: context.logger)
                            .observe(run, apps, within: limit)
                    })
                do {
                    let summary = try await factory.sharingPace(through: QuotaSlices(sessions)) {
                        try await progress.display { try await night.run() }
                    }
                    if !dryRun { await MetricsFile.write(context, through: sessions) }
                    return summary
                } catch is NothingToDo {
                    return nil
                }
            }
            guard let summary else {
                context.writeSummary("\(options.businessDate): every app has had it, and nothing is owed", of: .done)
                return .done
            }
            let ending = JobEnding(summary.result)
            context.writeSummary("\(SummaryText(summary))", of: ending)
            return ending
        }
    }

    /// Every app is retired: there is nothing to ask.
    private func writeOwedReports(
        _ context: JobContext, _ options: NightlyOptions, pings: NightPings?
    ) async throws -> JobEnding {
        let isComplete: Bool? = try await context.withMigratedSessions(1) { sessions in
            let owed = OwedReports(sessions: sessions, options: options, logger: context.logger)
            guard options.reports, try await owed.areThere() else { return nil }
            try await context.examineReports(through: sessions)
            pings?.start()
            do {
                let isComplete = try await owed.write()
                await MetricsFile.write(context, through: sessions)
                return isComplete
            } catch is NothingToDo {
                return nil
            }
        }
        let ending = isComplete == false ? JobEnding.partial : .done
        let outcome = isComplete.map { $0 ? "; owed reports are written" : "; not every owed report is written" } ?? ""
        context.writeSummary("\(options.businessDate): every app is retired\(outcome)", of: ending)
        return ending
    }

    private func isDone(
        _ apps: [AppID], _ options: NightlyOptions, through sessions: DatabaseSessions
    ) async throws -> Bool {
        try await sessions.use { try await DoneDate(connection: $0).isDone(apps, options) }
    }

    private func nightlyOptions(_ context: JobContext) -> NightlyOptions {
        let configuration = context.configuration
        var options = NightlyOptions(
            now: context.now, reportDirectory: configuration.reports.directory, timeZone: configuration.reports.timeZone
        )
        if reports { options.page = PageOptions(configuration.reports, logger: context.logger) }
        options.notes = configuration.reports.notes
        options.storage = configuration.reports.storage
        options.all = all
        options.dryRun = dryRun
        options.isRepeated = once
        options.reports = reports
        options.workers = workers
        options.waiting = context.waiting
        options.archiveRetention = configuration.archiveRetention
        options.finishWithin = configuration.nightly.finishWithin
        options.leaseSeconds = configuration.leaseSeconds
        return options
    }
}
