// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering

/// A small hand-written history in a real database, and the reports of it.
struct ReportWorld {
    let connection: PostgresConnection
    let configuration: PostgresConfiguration

    private static let template = TestTemplate.ledger(named: "report_template") { connection in
        try await install(connection)
    }

    static func with(_ body: (ReportWorld) async throws -> Void) async throws {
        try await withTestDatabase(from: template) { connection, configuration in
            try await body(ReportWorld(connection: connection, configuration: configuration))
        }
    }

    /// The reports' schema as a migration leaves it.
    static func install(_ connection: PostgresConnection) async throws {
        try await install(
            try await ReportSchema(connection: connection).outstanding([:], anyChange: true), connection)
    }

    /// An upgrade that defines some tables otherwise, or none.
    static func install(_ connection: PostgresConnection, tables: [String]) async throws {
        try await install(
            ReportSchema.Outstanding(
                definitions: SQL.Reports.definitions,
                tables: MaterialisedTable.all.filter { tables.contains($0.name) }.map {
                    ReportSchema.Table(name: $0.name, definition: $0.definition, text: "")
                }, stale: []), connection)
    }

    private static func install(
        _ outstanding: ReportSchema.Outstanding, _ connection: PostgresConnection
    ) async throws {
        try await connection.withTransaction { connection in
            try await ReportSchema(connection: connection).apply(outstanding, in: .inPlace)
            try await connection.recordSchemaObjects()
        }
    }

    /// What an older program may have left and reports must bear: a period that ends before it starts.
    func allowPeriodsThatEndBeforeTheyStart() async throws {
        try await connection.script("alter table subledger.transactions drop constraint periods_run_forward")
    }

    /// A sealed night at 02:00 UTC after its business date, its report issued at once; the run's number is its seal.
    func night(_ seal: Int64, for businessDate: String, issued: Bool = true) async throws {
        try await run(
            """
            insert into subledger.runs (
                run_id, job, business_date, logical_now, finished_at, sealed_at, seal, outcome, host, process_id)
            overriding system value
            values ($1, 'nightly', $2::date, ($2::date + 1 + time '02:00') at time zone 'UTC', now(), now(), $1, 'done',
                'here', 1)
            """, [.int(seal), .date(businessDate)])
        try await run("update subledger.settings set last_seal = greatest(last_seal, $1)", [.int(seal)])
        if issued { try await issue(seal, for: businessDate) }
    }

    /// The report of a sealed run was put in its place.
    func issue(_ seal: Int64, for businessDate: String) async throws {
        try await connection.execute(
            SQL.Reports.Manifest.recordIssue,
            [.int(seal), .int(seal), .date(businessDate), .text(""), .null, .int(0)])
    }

    /// How an app's part of a night went.
    func covered(
        _ seal: Int64, app: String, due: Int64, checked: Int64, unread: Int64? = nil, stopped reason: String? = nil
    ) async throws {
        try await run(
            """
            insert into subledger.run_apps (run_id, app_id, state, reason, due, closed_at, unread)
            values ($1, $2, case when $3::text is null then 'done' else 'stopped' end, $3::text, $4, now(), $5)
            """, [.int(seal), .text(app), PostgresValue(reason), .int(due), PostgresValue(unread)])
        try await run(
            """
            insert into subledger.run_chunks (
                run_id, chunk_no, app_id, subscription_keys, state, expected, staged, changed, counts)
            values ($1::bigint, (select count(*) + 1 from subledger.run_chunks where run_id = $1::bigint), $2, '{1}', 'done', 0, 0, 0,
                jsonb_build_object('checked', $3::bigint))
            """, [.int(seal), .text(app), .int(checked)])
    }

    /// What the store said of a subscription, learned by a run at its clock unless `recorded` says otherwise; `told` where the
    /// store can have said so only later than that.
    func became(
        _ state: String, key: Int64 = 1, at instant: String, recorded: String? = nil, reason: String? = nil,
        expires: String? = nil, grace: String? = nil, autoRenew: Bool? = nil, stated: String? = nil,
        renewal: (micros: Int64, currency: String)? = nil, seal: Int64 = 1
    ) async throws {
        try await run(
            """
            insert into subledger.state_changes (
                subscription_key, change_id, occurred_at, recorded_at, run_id, state, expires_at, grace_expires_at,
                end_reason, auto_renew, reported_at, renewal_price_micros, renewal_currency)
            values ($1::bigint, (
                    select count(*) + 1 from subledger.state_changes where subscription_key = $1::bigint
                ), $2::timestamptz,
                coalesce($3::timestamptz, $2::timestamptz), $4, $5, $6::timestamptz, $7::timestamptz, $8, $9,
                $10::timestamptz, $11, $12)
            """,
            [
                .int(key), .text(instant), PostgresValue(recorded), .int(seal), .text(state), PostgresValue(expires),
                PostgresValue(grace), PostgresValue(reason), autoRenew.map { .bool($0) } ?? .null,
                PostgresValue(stated), PostgresValue(renewal?.micros), PostgresValue(renewal?.currency),
            ])
    }

    func run(_ text: String, _ parameters: [PostgresValue]) async throws {
        try await connection.execute(Statement(name: "history", text: text), parameters)
    }
}
