// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Operations

/// The status of the batch.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Last runs, what waits, how fresh each app is, what was set aside.", discussion: JobEnding.help)

    @OptionGroup var options: SharedOptions

    @Flag(help: "As JSON.")
    var json = false

    func run() async throws {
        try await Job.perform(options, reading: .none) { context in
            let report = try await context.readingDatabase { connection in
                try await StatusReport.read(
                    on: connection, now: context.now, businessDate: context.businessDate)
            }
            context.console.write(json ? JSONOutput.indented(report) : "\(StatusText(report))")
            return .done
        }
    }
}
