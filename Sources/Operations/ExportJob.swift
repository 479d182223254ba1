// SPDX-License-Identifier: Apache-2.0

package import Issues
package import Logging
import Marts
package import Model
package import Postgres
package import Rendering
internal import Runs
internal import SQLCatalog

/// A report for somebody, beside the issues: as known at a seal that is there.
///
/// It opens no run, takes no lease, makes no seal and writes nothing to the database.
package struct ExportJob: Sendable {
    /// What is asked for.
    package struct Options: Sendable {
        package var now: Instant
        /// As known then, and the business date follows from it; nil: as of the last seal, and its date.
        package var asOf: AsOf?
        /// Days of the CSV files; nil: the whole history.
        package var period: ReportPeriod?
        /// The folder above the export's.
        package var directory: String
        package var timeZone: ReportTimeZone
        /// `now` is as it was given: what was sealed last is the newest that is known.
        package var isClockSimulated: Bool
        /// How the page is made.
        package var page = PageOptions()
        /// What the owner remarks on days.
        package var notes: ReportNotes?
        /// The CSV files once more, in another profile.
        package var copies: CSVCopies?
        /// Who may read its files.
        package var mode = FileMode.usual

        package init(now: Instant, directory: String, timeZone: ReportTimeZone, isClockSimulated: Bool) {
            self.now = now
            self.directory = directory
            self.timeZone = timeZone
            self.isClockSimulated = isClockSimulated
        }

        fileprivate var instant: Instant? {
            if case .instant(let instant) = asOf { instant } else { nil }
        }
    }

    /// What is sealed, by the run that was sealed last of it.
    private struct Sealed {
        let seal: Int64
        let runID: Int64
        let now: Instant
    }

    private let connection: PostgresConnection
    private let logger: Logger

    package init(connection: PostgresConnection, logger: Logger) {
        self.connection = connection
        self.logger = logger
    }

    /// Writes it.
    ///
    /// Throws `PipelineError` `.wrongTime` where there is no report of that instant or of those days, `.alreadyRunning`
    /// where an open run may yet belong to it.
    package func run(_ options: Options) async throws -> IssuedReport {
        let last = try await read(SQL.Pipeline.newestSeal, [])
        let sealed = try await sealed(options, last)
        let businessDate = BusinessDate(
            lastCompleteDayBefore: options.instant ?? sealed.now, in: options.timeZone)
        let days = options.period?.bounds(businessDate: businessDate)
        if let first = days?.first, first > businessDate {
            throw PipelineError(
                .wrongTime,
                "--period begins on \(first), and the last day that is known is \(businessDate): name earlier days")
        }
        return try await ReportStage(progress: logger.partsOfTables).issue(
            on: connection,
            request: ReportRequest(
                seal: sealed.seal, runID: sealed.runID, businessDate: businessDate, asOf: sealed.now,
                timeZone: options.timeZone.identifier, directory: options.directory, firstDate: days?.first,
                lastDate: days?.last, upkeep: .leftAlone, page: options.page, notes: options.notes,
                copies: options.copies, mode: options.mode))
    }

    private func sealed(_ options: Options, _ last: Sealed?) async throws -> Sealed {
        guard let last else {
            throw PipelineError(.wrongTime, "nothing is sealed yet: run `subledger nightly` first")
        }
        switch options.asOf {
        case .instant(let instant): return try await sealed(by: instant, options, last)
        case .seal(let seal):
            guard let sealed = try await read(SQL.Pipeline.findSeal, [.int(seal)]) else {
                throw PipelineError(
                    .wrongTime,
                    "there is no seal \(seal) (the last one is \(last.seal)): manifest.json names an issue's")
            }
            return sealed
        case nil: return last
        }
    }

    private func sealed(by instant: Instant, _ options: Options, _ last: Sealed) async throws -> Sealed {
        let end = options.isClockSimulated ? last.now : options.now
        guard instant <= end else {
            let reason = options.isClockSimulated ? "the last run was sealed as of" : "it is"
            throw PipelineError(
                .wrongTime,
                "--as-of \(instant.iso8601) lies in the future (\(reason) \(end.iso8601)): name an earlier instant")
        }
        if let open = try await connection.query(SQL.Pipeline.findOpenRunBefore, [PostgresValue(instant)]).first {
            throw PipelineError(
                .alreadyRunning,
                "--as-of \(instant.iso8601) is not settled yet: \(try PipelineError.openRun(open)), as of "
                    + "\(try open.instant("logical_now").iso8601); try again when it is sealed, or name an earlier instant"
            )
        }
        guard let sealed = try await read(SQL.Pipeline.lastSealedRun, [PostgresValue(instant)]) else {
            throw PipelineError(
                .wrongTime, "nothing was sealed by \(instant.iso8601): there is no report as of then")
        }
        return sealed
    }

    private func read(_ statement: Statement, _ parameters: [PostgresValue]) async throws(PostgresError) -> Sealed? {
        guard let row = try await connection.query(statement, parameters).first else { return nil }
        return Sealed(
            seal: try row.int64("seal"), runID: try row.int64("run_id"), now: try row.instant("logical_now"))
    }
}
