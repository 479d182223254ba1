// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Delivery
import Logging
import Model
import Operations
import Reports

/// Reports without a night.
struct Report: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes the reports, as known now or as known at an earlier instant.",
        discussion: """
            The same --as-of gives the same bytes for ever. A second issue of a business date is written beside the \
            first; issued files are never rewritten.

            \(JobEnding.help)
            """)

    @OptionGroup var options: SharedOptions

    @Option(help: "As known at this instant (ISO 8601); the business date follows from it.")
    var asOf: Instant?

    @Option(help: "Days of the CSV files: 2026-03, 2026-03-01..2026-04-01 or 30d; else the whole history.")
    var period: ReportPeriod?

    @Flag(help: "Rebuild the tables of the reports from the whole history, and name where they were wrong.")
    var rebuild = false

    @Option(help: "Folder to write to instead of reports.directory; with --csv-profile, the folder of the copies.")
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Copies of the CSV files for spreadsheets, in the folder that --out names: excel, or excel:LANGUAGE (excel:de).",
            valueName: "profile"))
    var csvProfile: CSVProfileOption?

    @Flag(help: "Write nothing: prove that every issue stands as it was issued, or name what was changed.")
    var verify = false

    @Flag(help: "Write nothing: send the newest issue to the recipients of reports.send, each once.")
    var send = false

    @Flag(help: "With --send: also to those who have it already.")
    var again = false

    func validate() throws {
        let isPlain = asOf == nil && period == nil && !rebuild && out == nil && csvProfile == nil
        guard !verify || (isPlain && !send) else {
            throw ValidationError("--verify reads what was issued: it goes with no other option of report")
        }
        guard !send || isPlain else {
            throw ValidationError("--send is about what was issued: of report's options only --again goes with it")
        }
        guard send || !again else { throw ValidationError("--again goes with --send") }
        guard !rebuild || asOf == nil else {
            throw ValidationError("--rebuild makes the tables of now: it does not go with --as-of")
        }
        guard csvProfile == nil || out != nil else {
            throw ValidationError("--csv-profile writes copies: name their folder with --out")
        }
    }

    func run() async throws {
        if verify { return try await verifyIssues() }
        if send { return try await notifyRecipients() }
        try await Job.perform(options) { context in
            let options = try reportOptions(context)
            let issued = try await context.withMigratedDatabase { connection, database in
                try await ReportJob(database: database, connection: connection, logger: context.logger).run(options)
            }
            context.console.write(issued.path)
            if let copies = options.copies { context.console.write(copies.directory) }
            guard issued.isReconciled else {
                context.logger.warning("the books do not close: see the top of the report")
                return .partial
            }
            return .done
        }
    }

    private func verifyIssues() async throws {
        try await Job.perform(options, reading: .none) { context in
            let verification = try await context.readingDatabase { connection in
                try await IssueVerifier(
                    connection: connection, directory: context.configuration.reports.directory
                ).verify()
            }
            for finding in verification.findings { context.console.write(finding) }
            guard verification.findings.isEmpty else { return .failed }
            context.console.write(
                "\(verification.issueCount) issues, \(verification.fileCount) files: as they were issued")
            if verification.unprovenCount > 0 {
                context.console.write(
                    "\(verification.unprovenCount) older issues have no checksum: nothing is known of them")
            }
            return .done
        }
    }

    private func notifyRecipients() async throws {
        try await Job.perform(options, reading: .ofRecipients) { context in
            guard let settings = context.configuration.reports.delivery else {
                throw UsageError(
                    "subledger: report --send: the configuration has no reports.send that names recipients")
            }
            let outcome = try await context.withMigratedDatabase(persistingCurrency: false) { connection, _ in
                try await ReportDelivery(
                    connection: connection, settings: settings, directory: context.configuration.reports.directory,
                    now: context.now, again: again, logger: context.logger
                ).run()
            }
            let text = DeliveryText(outcome)
            if let nothing = text.nothing {
                context.logger.notice("\(nothing)")
            } else {
                context.console.write("\(text)")
            }
            return outcome.failures.isEmpty ? .done : .partial
        }
    }

    private func reportOptions(_ context: JobContext) throws(UsageError) -> ReportJob.Options {
        let reports = context.configuration.reports
        let copies = try copies(reports)
        var options = ReportJob.Options(
            now: context.now, directory: copies == nil ? out ?? reports.directory : reports.directory,
            timeZone: reports.timeZone)
        options.copies = copies
        options.asOf = asOf
        options.page = PageOptions(reports, logger: context.logger)
        options.notes = reports.notes
        options.rebuild = rebuild
        let date = BusinessDate(lastCompleteDayBefore: asOf ?? context.now, in: reports.timeZone)
        if let bounds = period?.bounds(businessDate: date) {
            options.firstDate = bounds.first
            options.lastDate = bounds.last
        }
        return options
    }

    /// Nil where none are asked for.
    private func copies(_ reports: Configuration.Reports) throws(UsageError) -> CSVCopies? {
        guard let csvProfile, let out else { return nil }
        let copies = CSVCopies(directory: out, profile: csvProfile.profile(language: reports.language))
        if let refusal = copies.refusal(beside: reports.directory) {
            throw UsageError("subledger: --out \(out) \(refusal)")
        }
        return copies
    }
}
