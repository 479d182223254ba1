// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Postgres
import PrivateServer
import Runs

/// The private PostgreSQL, where no `database.url` is configured.
struct Database: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "db",
        abstract: "Starts and stops the private PostgreSQL.",
        discussion: """
            Jobs start it by themselves and stop it when the last of them ends; one started here stays.

            \(JobEnding.help)
            """,
        subcommands: [Start.self, Stop.self])

    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Starts it, making it if need be, and says how to connect.", discussion: JobEnding.help)
        @OptionGroup var options: SharedOptions

        func run() async throws {
            try await Job.perform(options) { context in
                let directory = try context.privateDirectory()
                let use = try await PrivateServerUse.join(folder: directory)
                let server = try await PrivateCluster(directory: directory, logger: context.logger).start()
                use.leaveRunning()
                context.console.write("psql \"\(server)\"")
                return .done
            }
        }
    }

    struct Stop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stops it, unless another job uses it.", discussion: JobEnding.help)
        @OptionGroup var options: SharedOptions

        func run() async throws {
            try await Job.perform(options) { context in
                let directory = try context.privateDirectory()
                let cluster = PrivateCluster(directory: directory, logger: context.logger)
                guard try await cluster.status() != .absent else { return .done }
                let use = try await PrivateServerUse.join(folder: directory)
                guard use.isLast() else {
                    throw PipelineError(
                        .alreadyRunning, "another job uses the private database; stop it when that is done")
                }
                try await cluster.stop()
                use.leaveRunning()
                return .done
            }
        }
    }
}

extension JobContext {
    fileprivate func privateDirectory() throws(UsageError) -> String {
        guard case .privateCluster(let directory) = configuration.database else {
            throw UsageError("subledger: database.url is configured, so there is no private database to start or stop")
        }
        return directory
    }
}
