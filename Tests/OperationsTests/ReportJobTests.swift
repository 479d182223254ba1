// SPDX-License-Identifier: Apache-2.0

import Foundation
import Issues
import Logging
import Model
import Operations
import Postgres
import Runs
import TestSupport
import Testing

/// An issue by hand does after it what a night does after its own.
@Suite struct ReportJobTests {
    @Test func `an issue by hand takes away what has outlived its time`() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await withTestDatabase { connection, database in
            _ = try await Migrator(connection: connection, logger: logger).migrate()
            try await connection.script("insert into subledger.apps (app_id, store) values ('acme-ios', 'app_store')")
            try await withTemporaryDirectory { place in
                let job = ReportJob(sessions: DatabaseSessions(database, logger: logger), logger: logger)
                var paths: [String] = []
                for day in ["2026-02-06", "2026-06-06"] {
                    var options = ReportJob.Options(
                        now: try #require(Instant(iso8601: "\(day)T02:00:00Z")), directory: place + "/reports",
                        timeZone: .utc)
                    options.storage.retention = IssueRetention(daily: .days(1), monthly: .days(2))
                    paths.append(try await job.run(options).path)
                }
                #expect(paths.map(FileManager.default.fileExists) == [false, true])
                #expect(try await connection.lines("select count(*) as n from subledger.pruned_issues") == ["1"])
            }
        }
    }
}
