// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import Foundation
import Model
import Postgres

/// Checks what a first night needs, and says what to do.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks everything that a first night needs: a line each, fine or what to do.",
        discussion: """
            Looks at the configuration and its key files, asks each store one question that changes nothing, and looks at the \
            database, clocks, certificates, folders, disks and schedules. It writes nothing but the share of the stores' quotas that \
            it uses. Run it whenever you like, as the account and on the machine that nights run on.

            It ends with 0 where all is fine, 2 where something is to be done, 64 where the configuration cannot be read.

            \(JobEnding.help)
            """)

    /// So long a database that cannot be reached is waited for.
    private static let patience = 5

    @OptionGroup var options: SharedOptions

    func run() async throws {
        try await Job.perform(options) { context in
            let environment = ProcessInfo.processInfo.environment
            let path = ConfigurationFile.path(option: options.config, environment: environment)
            let (configuration, problems) = try ConfigurationFile.inspect(path, environment: environment)
            let waiting = context.waiting(seconds: Self.patience, for: configuration)
            let reading = InstallationReading(
                context: waiting, path: path, problems: problems.filter { !waiting.isOfRetiredApp($0) },
                environment: environment)
            let findings = try await reading.facts().findings
            context.console.write(findings.map(\.description.printable).joined(separator: "\n"))
            return findings.needsAction ? .partial : .done
        }
    }
}

extension JobContext {
    /// Files of an app that is asked about no more may be gone.
    fileprivate func isOfRetiredApp(_ problem: String) -> Bool {
        configuration.apps.contains { app in
            guard app.isRetired(on: today), case .unusable(let problems) = app.files else { return false }
            return problems.contains(problem)
        }
    }

    /// The same with this configuration, whose server is waited for so long and no longer.
    fileprivate func waiting(seconds: Int, for configuration: Configuration) -> JobContext {
        var configuration = configuration
        // A night writes: what it finds is of the server that `url` names.
        if case .server(let server, _, _) = configuration.database {
            configuration.database = .server(
                server.connecting(within: seconds), reading: nil, retryFor: .seconds(Int64(seconds)))
        }
        return JobContext(
            configuration: configuration, now: now, isNowGiven: isNowGiven, logger: logger, console: console,
            isQuiet: isQuiet)
    }
}
