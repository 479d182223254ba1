// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Issues

/// One figure of an issue, with all that it is based on.
struct Cite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "A figure of an issued report: its value, formula and rows, what it is today, and why it moved.",
        discussion: """
            A figure is a file, the rows meant and a column: revenue[date=2026-05-03,currency=USD].net. Several rows are \
            added up where that makes sense; date=2026-05-01..2026-05-31 is a span. A headline figure of the page goes by \
            its name: mrr, active_subscribers, net_revenue30, at_risk; so does one of the whole company in the last month \
            that is over: growth, nrr, arpu. The issue is proved unchanged first; nothing is \
            written.

            \(JobEnding.help)
            """)

    @OptionGroup var options: SharedOptions

    @Argument(help: "Which figure.")
    var figure: String

    @Option(
        help: "The issue's folder, such as 2026-05-03 or 2026-05-03.2, or an export's path; else the newest issue.")
    var issue: String?

    @Flag(help: "As JSON.")
    var json = false

    func run() async throws {
        try await Job.perform(options) { context in
            let citation = try await context.readingDatabase(for: .readingInTables(job: "cite")) { connection in
                try await CitationStage(
                    connection: connection, directory: context.configuration.reports.directory
                ).cite(figure, issue: issue)
            }
            context.console.write(json ? JSONOutput.indented(CitationJSON(citation)) : "\(CitationText(citation))")
            return .done
        }
    }
}
