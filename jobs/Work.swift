// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Model
import Nightly
import Runs

/// One more host for a night that another process leads.
struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Works along with nights that another host leads.",
        discussion: """
            Waits for a night of its apps, asks the stores about its chunks beside the other hosts, over all its rounds, and ends when \
            it is sealed. It needs the database and the stores' keys, and no folder for reports. Start nightly --once on one host and \
            this on the others, at the same time.

            It is done when the night is sealed, or was since the waiting began, or where none opened because every app has had its \
            business date; 75: none opened in time, or the one that did has no leader.

            \(JobEnding.help)
            """)

    @OptionGroup var options: SharedOptions

    @Option(name: .customLong("app"), help: "Only nights of this app; may be given several times.")
    var apps: [String] = []

    @Option(help: "How long a night is waited for: 30s, 10m, 1h; and, where the leader of one is gone, another leader.")
    var wait: Span

    @Option(help: "Chunks worked on at once.")
    var workers = ConnectionNeed.usualWorkers

    func validate() throws {
        guard (1...64).contains(workers) else { throw ValidationError("--workers takes a number from 1 to 64") }
    }

    func run() async throws {
        try await Job.perform(options, reading: .ofApps(apps)) { context in
            let configured = try context.apps(named: apps, orNone: true)
            let ending = try await context.withMigratedSessions(
                workers, persistingCurrency: false, idlingAtMost: .seconds(2 * context.configuration.leaseSeconds)
            ) { sessions in
                let progress = ProgressDisplay(console: context.console, isQuiet: context.isQuiet, writesReports: false)
                return try await NightWork(
                    sessions: sessions, apps: configured.map(\.id), options: workOptions(context),
                    waiting: .microseconds(wait.micros), logger: context.logger, progress: progress
                ) { now, work in
                    let factory = StoreFactory(
                        context.configuration, now: now, patience: context.configuration.nightly.waitForStore,
                        logger: context.logger)
                    let apps = try factory.apps(configured, loading: workers)
                    return try await factory.sharingPace(through: QuotaSlices(sessions)) { try await work(apps) }
                }.run()
            }
            context.console.write(text(ending))
            return JobEnding(ending)
        }
    }

    private func workOptions(_ context: JobContext) -> NightlyOptions {
        var options = NightlyOptions(
            now: context.now, reportDirectory: context.configuration.reports.directory,
            timeZone: context.configuration.reports.timeZone)
        options.workers = workers
        options.leaseSeconds = context.configuration.leaseSeconds
        return options
    }

    private func text(_ ending: NightWork.Ending) -> String {
        switch ending {
        case .sealed: "the night is sealed"
        case .alreadyDone: "no night opened: every app has had its business date"
        case .noNight: "no night opened in time: is nightly --once started on a host of this database?"
        case .leaderless(let run):
            "run \(run) has no leader, and nothing is left that a host can do without one: start nightly --once again"
        }
    }
}

extension JobEnding {
    init(_ ending: NightWork.Ending) {
        switch ending {
        case .sealed, .alreadyDone: self = .done
        case .noNight, .leaderless: self = .tryLater
        }
    }
}

extension Span: ExpressibleByArgument {
    /// As lengths are written in the configuration.
    package init?(argument: String) {
        guard let span = SpanText.parse(argument) else { return nil }
        self = span
    }
}
