// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Delivery
import Issues
import Logging
import Model
import Operations
import Rendering
import Runs

/// Reports without a night.
struct Report: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Issues the report of what is known now, or exports one of an instant, some days or for somebody.",
        discussion: """
            Without options it is an issue: a second one of a business date is written beside the first, and issued files \
            are never rewritten. With --as-of, --period, --out or --csv-profile it is an export: a folder \
            <business date>-<seal> below --out, else below `exports` in reports.directory. The same export replaces it; \
            the same --as-of gives the same tables for ever. An export is no issue: `latest`, the next report's changes and \
            the chain of manifests do not know it.

            \(JobEnding.help)
            """)

    @OptionGroup var options: SharedOptions

    @Option(
        help: ArgumentHelp(
            "As known at this instant (ISO 8601), from which the business date follows; or as of a seal (seal:12).",
            valueName: "as-of"))
    var asOf: AsOf?

    @Option(help: "Days of the CSV files: 2026-03, 2026-03-01..2026-04-01 or 30d; else the whole history.")
    var period: ReportPeriod?

    @Flag(help: "Rebuild the tables of the reports from the whole history, and name where they were wrong.")
    var rebuild = false

    @Option(help: "The folder to export to.")
    var out: String?

    @Option(
        help: ArgumentHelp(
            "The CSV files once more for spreadsheets, in a folder of that name: excel, or excel:LANGUAGE (excel:de).",
            valueName: "profile"))
    var csvProfile: CSVProfileOption?

    @Flag(help: "Write nothing: prove that every issue is as it was issued, or name what is changed or gone.")
    var verify = false

    @Argument(help: "With --verify: the folder of an export to prove instead.")
    var export: String?

    @Flag(help: "Write nothing: send the newest issue to the recipients of reports.send, each once.")
    var send = false

    @Flag(help: "With --send: also to those who have it already.")
    var again = false

    func validate() throws {
        let isPlain = !isExport && !rebuild
        guard !verify || (isPlain && !send) else {
            throw ValidationError("--verify reads what was issued: it goes with no other option of report")
        }
        guard !send || isPlain else {
            throw ValidationError("--send is about what was issued: of report's options only --again goes with it")
        }
        guard send || !again else { throw ValidationError("--again goes with --send") }
        guard !rebuild || !isExport else {
            throw ValidationError(
                "--rebuild issues: it goes with no option of an export (--as-of, --period, --out, --csv-profile)")
        }
        guard export == nil || verify else { throw ValidationError("the folder of an export goes with --verify") }
    }

    private var isExport: Bool { asOf != nil || period != nil || out != nil || csvProfile != nil }

    func run() async throws {
        if verify { return try await verifyIssues() }
        if send { return try await notifyRecipients() }
        try await Job.perform(options, reading: .ofReports) { context in
            let issued = isExport ? try await exported(context) : try await issued(context)
            context.console.write(issued.path)
            guard issued.isReconciled else {
                context.logger.warning("the books do not close: see the top of the report")
                return .partial
            }
            return .done
        }
    }

    private func verifyIssues() async throws {
        try await Job.perform(options) { context in
            let verification = try await context.readingDatabase { connection in
                let verifier = IssueVerifier(
                    connection: connection, directory: context.configuration.reports.directory)
                guard let export else { return try await verifier.verify() }
                return try await verifier.verify(export: export)
            }
            for finding in verification.findings { context.console.write(finding) }
            guard verification.findings.isEmpty else { return .failed }
            context.console.write("\(VerificationText(verification: verification, isOfExport: export != nil))")
            return .done
        }
    }

    private func notifyRecipients() async throws {
        try await Job.perform(options, reading: .ofRecipients) { context in
            guard let settings = context.configuration.reports.delivery else {
                throw UsageError(
                    "subledger: report --send: the configuration has no reports.send that names recipients")
            }
            let outcome = try await context.withMigratedSessions(1, persistingCurrency: false) { sessions in
                try await ReportDelivery(
                    sessions: sessions, settings: settings, directory: context.configuration.reports.directory,
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

    private func issued(_ context: JobContext) async throws -> IssuedReport {
        let reports = context.configuration.reports
        var options = ReportJob.Options(now: context.now, directory: reports.directory, timeZone: reports.timeZone)
        options.page = PageOptions(reports, logger: context.logger)
        options.notes = reports.notes
        options.storage = reports.storage
        options.rebuild = rebuild
        options.waiting = context.waiting
        return try await context.withMigratedSessions(1) { [options] sessions in
            try await context.examineReports(through: sessions)
            let progress = ProgressDisplay(console: context.console, isQuiet: context.isQuiet, writesReports: true)
            progress.finished()
            return try await progress.display {
                try await ReportJob(
                    sessions: sessions, logger: context.logger, leaseSeconds: context.configuration.leaseSeconds
                ).run(options)
            }
        }
    }

    private func exported(_ context: JobContext) async throws -> IssuedReport {
        let reports = context.configuration.reports
        if let out, let refusal = ExportPlace.refusal(of: out, beside: reports.directory) {
            throw UsageError("subledger: --out \(out) \(refusal)")
        }
        var options = ExportJob.Options(
            now: context.now, directory: out ?? ExportPlace.below(reports.directory), timeZone: reports.timeZone,
            isClockSimulated: context.configuration.isClockSimulated)
        options.mode = reports.storage.mode
        options.asOf = asOf
        options.period = period
        options.page = PageOptions(reports, logger: context.logger)
        options.notes = reports.notes
        options.copies = csvProfile?.copies(language: reports.language)
        // Written aside: what is made again replaces what was begun.
        let use = DatabaseUse.readingInTables(job: "an export (report --as-of, --period, --out or --csv-profile)")
        return try await context.readingSessions(for: use) { [options] sessions in
            try await sessions.use { connection in
                try await ReportZoneCheck(connection: connection, logger: context.logger).check(reports.timeZone)
                return try await ExportJob(connection: connection, logger: context.logger).run(options)
            }
        }
    }
}
