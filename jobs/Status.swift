// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Operations

/// The status of the batch.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Whether all is well; last nights and reports, what waits, what was set aside.",
        discussion: """
            Its first line is the verdict: OK, or NOT OK and what is not. A program that watches asks with --check.

            \(JobEnding.help)
            """)

    @OptionGroup var options: SharedOptions

    @Flag(help: "As JSON.")
    var json = false

    @Flag(
        help: """
            Only the verdict; exit status 0 where it is OK, 2 where it is not, 75 where the database does not answer within five \
            seconds, 1 or 64 where nothing can be said: there is no database or schema yet, or the configuration is wrong.
            """)
    var check = false

    func run() async throws {
        try await Job.perform(options) { context in
            guard !check else {
                let verdict = try await self.verdict(context)
                context.console.write(json ? JSONOutput.indented(verdict) : "\(verdict)".printable)
                return verdict.isOK ? .done : .partial
            }
            let report = try await context.readingDatabase(patience: patience(context), reportsLag: false) {
                connection in
                try await StatusReport.read(
                    on: connection, now: context.now, businessDate: context.businessDate,
                    configured: context.appNames, maxAge: context.configuration.statusMaxAge)
            }
            context.console.write(json ? JSONOutput.indented(report) : "\(StatusText(report))")
            return .done
        }
    }

    private func verdict(_ context: JobContext) async throws -> BatchVerdict {
        let facts = try await facts(context)
        return BatchVerdict(
            on: facts, apps: context.appNames, maxAge: context.configuration.statusMaxAge, now: context.now)
    }

    /// Nil of a private server: it may have to be started first.
    private func patience(_ context: JobContext) -> Duration? {
        guard case .server = context.configuration.database else { return nil }
        return AnswerLimit.ofStatus
    }

    /// They are little: a server that takes longer does not answer.
    private func facts(_ context: JobContext) async throws -> BatchFacts {
        guard let patience = patience(context) else {
            return try await context.readingDatabase(reportsLag: false) { try await BatchFacts.read(on: $0) }
        }
        return try await AnswerLimit.within(patience) {
            try await context.readingDatabase(patience: patience, reportsLag: false) {
                try await BatchFacts.read(on: $0)
            }
        }
    }
}
