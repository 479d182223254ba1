// SPDX-License-Identifier: Apache-2.0

package import Marts
import Model
package import Postgres
import Rendering
import SQLCatalog

/// Reports: writes what the books say, as of a seal, to a new folder of files: an issue, or an export beside them.
///
/// Everything is read in one snapshot, and files appear all at once or not at all. The same request gives the same
/// bytes; asked twice in a row, the second time changes nothing.
package struct ReportStage: Sendable {
    private let progress: BuildProgress
    private let fence: IssueFence

    /// - Parameters:
    ///   - progress: is called after each part of the history that tables were made of.
    ///   - fence: throws where another run has the turn to write reports; nothing is written then.
    package init(
        progress: @escaping BuildProgress = { _, _ in }, fence: @escaping IssueFence = { _ in }
    ) {
        self.progress = progress
        self.fence = fence
    }

    /// Issues the report, or exports it.
    ///
    /// A check that fails does not stop it: the report says "not reconciled" at its top, and so does the result. Throws
    /// `ReportError` or `PostgresError`; nothing is left behind then.
    package func issue(
        on connection: PostgresConnection, request: ReportRequest
    ) async throws -> IssuedReport {
        let folder = ReportFolder(request)
        do {
            try await folder.create()
            try await SessionTables(connection: connection, request: request).dropTables()
            let corrected = try await refreshMarts(request, connection)
            let (manifest, checks) = try await read(request, from: connection, into: folder)
            let published = try await publish(
                manifest, with: checks, of: request, in: folder, on: connection)
            return IssuedReport(
                path: published.path, isNew: published.isNew, checks: checks.outcomes, corrected: corrected)
        } catch {
            await folder.discard()
            throw error
        }
    }

    /// The marts are at the issue's seal afterwards, unless they are beyond it.
    private func refreshMarts(
        _ request: ReportRequest, _ connection: PostgresConnection
    ) async throws -> [CorrectedTable] {
        guard !request.isExport else { return [] }
        let tables = MartTables(
            connection: connection, timeZone: request.timeZone, progress: progress, fence: fence)
        try await tables.refreshMarts(to: request.seal)
        guard request.upkeep == .rebuilt else { return [] }
        let session = SessionTables(connection: connection, request: request, progress: progress)
        try await session.buildTables()
        let corrected = try await tables.correctMarts(asOf: request.seal)
        try await session.dropTables()
        return corrected
    }

    /// Everything is read in one snapshot: of the marts, or where they are elsewhere, of the session's own.
    private func read(
        _ request: ReportRequest, from connection: PostgresConnection, into folder: ReportFolder
    ) async throws -> (Manifest, CheckResults) {
        let tables = MartTables(connection: connection, timeZone: request.timeZone, progress: progress)
        let ofMarts = try await connection.withTransaction(.repeatableRead) { connection in
            try await connection.execute(SQL.Reports.Refresh.lockForReading)
            let position = try await tables.position()
            return position?.isAt(request.seal, request.timeZone) == true
                ? try await write(request, from: connection, into: folder, isOfMarts: true)
                : nil
        }
        if let ofMarts { return ofMarts }
        let session = SessionTables(connection: connection, request: request, progress: progress)
        try await session.buildTables()
        let ofSession = try await connection.withTransaction(.repeatableRead) { connection in
            try await write(request, from: connection, into: folder, isOfMarts: false)
        }
        try await session.dropTables()
        return ofSession
    }

    /// A session's own tables are checked whole, and prove nothing of the marts.
    private func write(
        _ request: ReportRequest, from connection: PostgresConnection, into folder: ReportFolder, isOfMarts: Bool
    ) async throws -> (Manifest, CheckResults) {
        let session = SessionTables(connection: connection, request: request)
        try await session.defineViews()
        try await session.scopeSession(
            from: request.firstDate?.description ?? "-infinity", through: request.lastDate.description)
        try await session.materialiseReports()
        let workbook = WorkbookQueue(ReportWorkbook(request.identity, in: folder.staging))
        let files = ReportFiles(request: request, folder: folder, workbook: workbook)
        do {
            let tables = try await files.writeTables(from: connection)
            let last = try await Manifest.Previous.read(asOf: request.seal, on: connection)
            let sources = try await PageSources.read(request.identity, comparedWith: last, on: connection)
            let rates = try await connection.query(SQL.Reports.Manifest.rates).map(\.texts)
            try await workbook.add { await $0.take(rates: rates) }
            let transactions = try await TransactionsFile.write(request, on: connection, to: folder)
            let detail = try await TransactionsSheet.open(on: connection)
            let checks = try await write(detail, to: workbook, andCheck: session, of: request, isOfMarts: isOfMarts)
            if let notes = request.notes { try await WorkbookNotes.write(notes, to: workbook) }
            let coverage = try await Coverage.read(asOf: request.seal, on: connection)
            let page = ReportPage(
                request.identity, options: request.page, tables: tables.all, checks: checks.outcomes,
                coverage: coverage, sources: sources, translations: SQL.Reports.Marts.documents)
            var documents = try await files.writeDocuments(page, checks: checks.outcomes, coverage: coverage)
            documents[ReportJSON.fileName] = tables.document
            let manifest = Manifest(
                request: request, last: last, checks: checks.outcomes, coverage: coverage,
                files: ReportFiles.describe(documents, tables: tables.files + [transactions]))
            try await files.write(try manifest.json(), to: Manifest.fileName)
            return (manifest, checks)
        } catch {
            await workbook.abandon()
            throw error
        }
    }

    /// A night's checks run while the single transactions are written: the workbook takes them slowly.
    ///
    /// What checks everything has the server's memory for itself.
    private func write(
        _ detail: TransactionsSheet, to workbook: WorkbookQueue, andCheck session: SessionTables,
        of request: ReportRequest, isOfMarts: Bool
    ) async throws -> CheckResults {
        let isOfNight = isOfMarts && request.upkeep == .movedOn
        let extent = isOfNight ? try await CheckExtent.next(request, session.connection) : .everything
        guard extent.provenSeal != nil else {
            try await detail.write(to: workbook)
            return try await check(extent, session, of: request, isOfMarts: isOfMarts)
        }
        async let written: Void = detail.write(to: workbook)
        do {
            let results = try await check(extent, session, of: request, isOfMarts: isOfMarts)
            try await written
            return results
        } catch let error as PostgresError where error.isOfFailedTransaction {
            // What failed it says more.
            try await written
            throw error
        }
    }

    private func check(
        _ extent: CheckExtent, _ session: SessionTables, of request: ReportRequest, isOfMarts: Bool
    ) async throws -> CheckResults {
        let checks = BookChecks(session: session, businessDate: request.businessDate)
        return CheckResults(
            outcomes: try await checks.run(on: extent, through: request.businessDate.description),
            isFullProof: isOfMarts && extent.provenSeal == nil)
    }

    /// Puts it in its place.
    ///
    /// An issue only while no other run can take the turn to write them: it is there and recorded, or a later one of
    /// the same seal is recorded in its stead. An export is no issue, and leaves nothing in the database.
    private func publish(
        _ manifest: Manifest, with checks: CheckResults, of request: ReportRequest, in folder: ReportFolder,
        on connection: PostgresConnection
    ) async throws -> PublishedIssue {
        try await folder.synchronize()
        guard !request.isExport else { return try await folder.publish(manifest) }
        return try await connection.withTransaction { connection in
            try await fence(connection)
            let unknown = try await ReportDirectory(request.directory, on: connection).unrecorded()
            let published = try await folder.publish(manifest, besides: unknown.names)
            try await remember(published, with: checks, of: request, on: connection)
            return published
        }
    }

    /// The `changes` report compares with this issue from now on; the next checks go on from here, or look at
    /// everything until the books close.
    private func remember(
        _ published: PublishedIssue, with checks: CheckResults, of request: ReportRequest,
        on connection: PostgresConnection
    ) async throws(PostgresError) {
        // One that says nothing new was recorded by its own run, or is now: that run may have died before it came to it.
        try await connection.execute(
            SQL.Reports.Manifest.recordIssue,
            [
                .int(published.stamp.runID), .int(published.stamp.seal), .date(request.businessDate.description),
                .text(published.path), .text(published.manifestSHA256),
                .int(Int64(checks.outcomes.count { !$0.passed })),
            ])
        try await connection.execute(
            SQL.Reports.Manifest.rememberChecks,
            [
                .int(request.seal), .bool(checks.outcomes.allSatisfy(\.passed)),
                checks.isFullProof ? .date(request.businessDate.description) : .null,
            ])
    }
}

/// What the checks of an issue found, and whether they looked at everything in the marts.
private struct CheckResults {
    let outcomes: [CheckOutcome]
    let isFullProof: Bool
}
