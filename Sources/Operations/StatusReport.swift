// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
package import Runs
internal import SQLCatalog

/// The status of the batch: its last runs, what waits, how fresh each app is, what was set aside.
package struct StatusReport: Sendable, Encodable {
    package struct Run: Sendable, Encodable {
        package let runID: Int64
        package let job: String
        package let businessDate: String
        package let logicalNow: String
        package let startedAt: String
        package let finishedAt: String?
        /// `running`, `interrupted` where its leader is dead, else how it ended.
        package let outcome: String
        /// A running run whose process still says so.
        package let isAlive: Bool
        package let host: String
        package let processID: Int64
        package let apps: [String]
        /// `app: reason` of those that their store stopped.
        package let stopped: [String]
        /// Why it failed, or was left.
        package let failure: String?
        /// It was to write a report and has not.
        package let isReportMissing: Bool
        package let counts: [String: Int64]
    }

    /// A process that asks the stores for a run that is open.
    package struct Host: Sendable, Encodable, Hashable {
        package let runID: Int64
        package let machine: String
        package let processID: Int64
        /// That it has loaded.
        package let chunks: Int64
        package let checks: Int64
        /// Chunks that it is at.
        package let leased: Int64
        /// When it noted this last.
        package let seenAt: String
    }

    package struct App: Sendable, Encodable {
        package let appID: String
        /// What it is called for people; nil: its id.
        package let title: String?
        package let store: String
        package let environment: String
        package let subscriptions: Int64
        /// Not closed: asked about again some time.
        package let followed: Int64
        package let due: Int64
        /// Their last check failed.
        package let unread: Int64
        /// The oldest instant something is due since; nil where nothing is, or only what was never asked.
        package let dueSince: String?
        package let lastCheckedAt: String?
        /// Logical now of the last night that finished this app.
        package let lastNight: String?
        package let secondsSinceLastNight: Int64?
    }

    package struct DeadLetters: Sendable, Encodable {
        package let appID: String
        package let stage: String
        package let reason: String
        package let letters: Int64
        package let oldest: String
        /// A subscription it happened to, for `explain`.
        package let exampleKey: Int64?
    }

    /// A currency in use whose newest exchange rate is more than ten days older than the newest issue's last day.
    package struct StaleRate: Sendable, Encodable {
        package let currency: String
        package let newest: String
    }

    /// Dates on which no night was sealed, after one on which one was and before the business date: they have no report of their own.
    package struct Gap: Sendable, Encodable, Hashable {
        package let firstDate: String
        package let lastDate: String
    }

    /// What a night takes of the server's connections, beside what it is left.
    package struct Connections: Sendable, Encodable {
        /// Of a night, unless it is given another number.
        package let workers: Int
        /// At most, with those workers.
        package let needed: Int
        /// Free now, by the narrowest limit.
        package let free: Int64
        /// That limit, and whose it is: `server`, `role` or `database`.
        package let limit: Int64
        package let limitedBy: String
    }

    package let now: String
    /// How far the standby lags that all of it was read on; nil: it was read on a primary.
    package let standby: StandbyLag?
    package let verdict: BatchVerdict
    /// Of each app, in the order of their ids.
    package let nights: [Night]
    /// Business dates whose sealed night owes a report that is not there, the oldest first.
    package let owedReports: [String]
    package let connections: Connections
    package let runs: [Run]
    package let hosts: [Host]
    package let apps: [App]
    package let deadLetters: [DeadLetters]
    package let staleRates: [StaleRate]
    /// The newest first.
    package let gaps: [Gap]

    /// What people call an app: its title with its id.
    package func name(of appID: String) -> String {
        AppName(appID, title: apps.first { $0.appID == appID }?.title).description
    }

    /// Reads it as of the logical clock.
    ///
    /// `businessDate`: the last complete day before it, of which a night is yet awaited. `configured`: the apps that the verdict is on;
    /// nil: all that the database knows. `maxAge`: how old an app's last finished night may be.
    package static func read(
        on connection: PostgresConnection, now: Instant, businessDate: BusinessDate, runs count: Int = 10,
        configured: [String]? = nil, maxAge: Span = Rules.nightAge
    ) async throws -> StatusReport {
        try await connection.withTransaction(.repeatableReadOnly) { connection in
            var (runs, apps, letters): ([Run], [App], [DeadLetters]) = ([], [], [])
            for row in try await connection.query(SQL.Status.listRuns, [PostgresValue(count)]) {
                runs.append(try Run(row))
            }
            let hosts = try await connection.query(SQL.Status.listHosts).map { (row) throws(PostgresError) in
                try Host(row)
            }
            for row in try await connection.query(SQL.Status.listApps, [PostgresValue(now)]) {
                apps.append(try App(row, now: now))
            }
            for row in try await connection.query(SQL.Status.listDeadLetters) { letters.append(try DeadLetters(row)) }
            let stale = try await connection.query(SQL.Status.listStaleRates).map {
                StaleRate(currency: try $0.string("currency"), newest: try $0.string("newest"))
            }
            let gaps = try await connection.query(SQL.Status.listGaps, [.date(businessDate.description)]).map {
                Gap(firstDate: try $0.string("first_date"), lastDate: try $0.string("last_date"))
            }
            let facts = try await BatchFacts.read(on: connection)
            return StatusReport(
                now: now.iso8601, standby: try await StandbyLag.read(on: connection),
                verdict: BatchVerdict(on: facts, apps: configured, maxAge: maxAge, now: now),
                nights: facts.apps.map(Night.init), owedReports: facts.owedReports,
                connections: try await Connections(on: connection), runs: runs, hosts: hosts, apps: apps,
                deadLetters: letters, staleRates: stale, gaps: gaps)
        }
    }
}
