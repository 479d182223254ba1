// SPDX-License-Identifier: Apache-2.0

import Issues
package import Logging
import Model
import Postgres
package import Runs
import SQLCatalog

/// What earlier dates owe where every app is retired: no night follows that would write it.
///
/// A run of its own seals what a dead night left, and that apps are retired; then it writes as a night does, its own date last.
package struct OwedReports: Sendable {
    private let sessions: DatabaseSessions
    private let options: NightlyOptions
    private let logger: Logger

    package init(sessions: DatabaseSessions, options: NightlyOptions, logger: Logger) {
        (self.sessions, self.options, self.logger) = (sessions, options, logger)
    }

    /// Whether there are any; reads only.
    package func areThere() async throws -> Bool {
        try await sessions.use { try await Self.areThere(upTo: options.businessDate, on: $0) }
    }

    private static func areThere(upTo date: BusinessDate, on connection: PostgresConnection) async throws -> Bool {
        let rows = try await connection.query(SQL.Pipeline.isReportOwed, [.date(date.description)])
        return try rows.first?.bool("is_owed") ?? false
    }

    /// True when every report is there, and its books close.
    ///
    /// Throws as a night does where its own report cannot be written, and `NothingToDo` where another start has written them meanwhile.
    package func write() async throws -> Bool {
        let apps = try await sessions.use {
            try await $0.query(SQL.Pipeline.listApps).map { AppID(try $0.string("app_id")) }
        }
        let led = LedRun(
            sessions: sessions, leaseSeconds: options.leaseSeconds, waiting: options.waiting, logger: logger)
        var request = RunRequest(.report, apps: apps, now: options.now, businessDate: options.businessDate)
        request.lastSealFound = ReportDirectory.highestSeal(in: options.reportDirectory)
        request.isNeeded = { [date = options.businessDate] in try await Self.areThere(upTo: date, on: $0) }
        return try await led.run(request, ifBroken: .failed(counts: [:])) { _ in
        } conclude: { [options, logger] run, seal, _, connection in
            let written = try await NightReports(connection: connection, options: options, logger: logger)
                .write(run, seal: seal)
            return RunEnding(written.isComplete, outcome: written.isComplete ? .done : .partial, counts: [:])
        }
    }
}
