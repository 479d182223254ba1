// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import Runs
import SQLCatalog

extension StatusReport.Run {
    init(_ row: PostgresRow) throws(PostgresError) {
        let counts = Data(try row.json("counts").utf8)
        self.init(
            runID: try row.int64("run_id"), job: try row.string("job"),
            businessDate: try row.string("business_date"), logicalNow: try row.instant("logical_now").iso8601,
            startedAt: try row.instant("started_at").iso8601,
            finishedAt: try row.optionalInstant("finished_at")?.iso8601, outcome: try row.string("outcome"),
            isAlive: try row.bool("is_alive"), host: try row.string("host"), processID: try row.int64("process_id"),
            apps: try row.textArray("apps").compactMap(\.self),
            stopped: try row.textArray("stopped").compactMap(\.self),
            failure: try row.optionalString("failure"), isReportMissing: try row.bool("is_report_missing"),
            counts: (try? JSONDecoder().decode([String: Int64].self, from: counts)) ?? [:])
    }
}

extension StatusReport.Host {
    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            runID: try row.int64("run_id"), machine: try row.string("machine"), processID: try row.int64("process_id"),
            chunks: try row.int64("chunks"), checks: try row.int64("checks"), leased: try row.int64("leased"),
            seenAt: try row.instant("seen_at").iso8601)
    }
}

extension StatusReport.App {
    init(_ row: PostgresRow, now: Instant) throws(PostgresError) {
        let lastNight = try row.optionalInstant("last_night")
        self.init(
            appID: try row.string("app_id"), title: try row.optionalString("title"), store: try row.string("store"),
            environment: try row.string("environment"),
            subscriptions: try row.int64("subscriptions"), followed: try row.int64("followed"),
            due: try row.int64("due"), unread: try row.int64("unread"),
            dueSince: try row.optionalInstant("due_since")?.iso8601,
            lastCheckedAt: try row.optionalInstant("last_checked_at")?.iso8601, lastNight: lastNight?.iso8601,
            secondsSinceLastNight: lastNight.map { (now - $0).micros / 1_000_000 })
    }
}

extension StatusReport.Connections {
    init(on connection: PostgresConnection) async throws {
        guard let row = try await connection.query(SQL.Status.readConnections).first else {
            throw PipelineError(.failed, "the server does not say how many connections it has")
        }
        self.init(
            workers: ConnectionNeed.usualWorkers,
            needed: ConnectionNeed.night(workers: ConnectionNeed.usualWorkers), free: try row.int64("free"),
            limit: try row.int64("most"), limitedBy: try row.string("kind"))
    }
}

extension StatusReport.DeadLetters {
    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            appID: try row.string("app_id"), stage: try row.string("stage"), reason: try row.string("reason"),
            letters: try row.int64("letters"), oldest: try row.instant("oldest").iso8601,
            exampleKey: try row.optionalInt64("example_key"))
    }
}
