// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import Signing
import Synchronization

/// The command: a job is one subcommand, one file.
///
/// `Program` runs it.
package struct Subledger: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "subledger",
        abstract: "Asks the stores each night what became of your subscriptions, and keeps the books.",
        discussion: """
            Results go to stdout, log and progress to stderr.

            \(JobEnding.help)
            """,
        version: commit.withLock { [number] commit in commit.map { "\(number) (\($0))" } ?? number },
        subcommands: [
            Nightly.self, Work.self, Intake.self, Notifications.self, Import.self, Report.self, Cite.self, Status.self,
            Explain.self, Migrate.self, Database.self, Init.self, Doctor.self,
        ])

    /// The version's number, which scripts/package reads here.
    static let number = "0.1.0"

    /// What the program was built from, set before anything is parsed; nil where that is not known, and in tests.
    private static let commit = Mutex<String?>(nil)

    package init() {}

    /// Without a job: a schedule that lost its words must not look like a night.
    package mutating func run() async throws {
        throw ValidationError("name a job: subledger nightly, for example; subledger --help lists them")
    }

    package static func main(commit: String?) async {
        Self.commit.withLock { $0 = commit }
        CryptographyLibrary.retainUntilExit()
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            var command = try parseAsRoot(arguments)
            if var job = command as? any AsyncParsableCommand { try await job.run() } else { try command.run() }
        } catch {
            await ParsingFailure(arguments: arguments).end(with: error)
        }
    }
}
