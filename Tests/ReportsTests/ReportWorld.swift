// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SQLCatalog
import TestSupport

@testable import Reports

/// A period or a one-time sale, as a run would have written it. Instants are ISO texts in UTC unless they say otherwise.
struct Sale {
    var key: Int64 = 1
    var id = "t1"
    var app = "acme-ios"
    var product = "monthly"
    var kind = "purchase"
    var from: String
    var to: String?
    var price: Int64? = 9_990_000
    var currency: String? = "USD"
    var country: String? = "US"
    var environment = "production"
    var ownership = "purchased"
    var refundedAt: String?
    var refundKind: String?
    var refund: Int64?
    var isUpgraded = false
    var store = "app_store"
    /// The oldest purchase of its chain; nil: itself.
    var lineage: Int64?
    var offerType: String?
    var group: String?
    /// What the store told of it; nil: nothing.
    var tax: Int64?
    var proceeds: Int64?
    /// What a whole period costs, where this one is the rest of another after a change of plan.
    var recurring: Int64?
    /// Seats still held of a multiseat purchase.
    var seats: Int64?
    /// A refund of some of it that leaves the rest running: its steps, as JSON.
    var refundParts: String?
    /// Google Play's.
    var basePlan: String?
}

/// A small hand-written history in a real database, and the reports of it.
struct ReportWorld {
    let connection: PostgresConnection
    let configuration: PostgresConfiguration

    /// The files that make functions and views, in the order in which they are applied.
    static let definitions = SQL.Reports.definitions

    static func with(_ body: (ReportWorld) async throws -> Void) async throws {
        try await withLedgerDatabase { connection, configuration in
            for file in definitions { try await connection.executeScript(file) }
            // Reports must bear what an older program may have left: a period that ends before it starts.
            try await connection.script("alter table subledger.transactions drop constraint periods_run_forward")
            try await body(ReportWorld(connection: connection, configuration: configuration))
        }
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
            SQL.Reports.Manifest.recordIssue, [.int(seal), .int(seal), .date(businessDate), .text("")])
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

    /// An image of a transaction: the next version of it.
    func sold(_ sale: Sale, seal: Int64 = 1) async throws {
        try await run(
            """
            insert into subledger.transaction_versions (
                subscription_key, transaction_id, product_id, version, run_id, recorded_at, lineage_key, app_id, store,
                environment, period_key, kind, is_trial_conversion, ownership, quantity, country, purchased_at,
                period_start, period_end, price_micros, currency, price_source, proceeds_source, refunded_at,
                refund_kind, refund_micros, is_upgraded, source_version, offer_type, subscription_group, tax_micros,
                proceeds_micros, recurring_price_micros, seats, refund_parts, base_plan_id)
            values ($1::bigint, $2::text, $3::text, (
                    select count(*) + 1 from subledger.transaction_versions
                    where subscription_key = $1 and transaction_id = $2 and product_id = $3
                ), $4, now(), $18, $5, $19, $6, $2, $7, false, $8, 1, $9, $10::timestamptz, $10::timestamptz,
                $11::timestamptz, $12::bigint, $13, case when $12::bigint is null then 'missing' else 'store_price' end,
                case when $23::bigint is null then 'missing' else 'store_order' end, $14::timestamptz, $15, $16, $17,
                now(), $20, $21, $22, $23::bigint, $24, $25, $26::jsonb, $27)
            """,
            [
                .int(sale.key), .text(sale.id), .text(sale.product), .int(seal), .text(sale.app),
                .text(sale.environment), .text(sale.kind), .text(sale.ownership), PostgresValue(sale.country),
                .text(sale.from), PostgresValue(sale.to), PostgresValue(sale.price), PostgresValue(sale.currency),
                PostgresValue(sale.refundedAt), PostgresValue(sale.refundKind), PostgresValue(sale.refund),
                .bool(sale.isUpgraded), .int(sale.lineage ?? sale.key), .text(sale.store),
                PostgresValue(sale.offerType), PostgresValue(sale.group), PostgresValue(sale.tax),
                PostgresValue(sale.proceeds), PostgresValue(sale.recurring), PostgresValue(sale.seats),
                PostgresValue(sale.refundParts), PostgresValue(sale.basePlan),
            ])
        try await keep(sale)
    }

    /// The newest image as today's row.
    private func keep(_ sale: Sale) async throws {
        try await run(
            """
            insert into subledger.transactions (
                subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key, kind,
                is_trial_conversion, offer_type, ownership, quantity, country, purchased_at, period_start, period_end,
                price_micros, tax_micros, proceeds_micros, currency, price_source, proceeds_source, refunded_at,
                refund_kind, refund_micros, is_upgraded, source_version, subscription_group, recorded_run_id,
                changed_run_id, recurring_price_micros, seats, refund_parts, base_plan_id)
            select
                subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key, kind,
                is_trial_conversion, offer_type, ownership, quantity, country, purchased_at, period_start, period_end,
                price_micros, tax_micros, proceeds_micros, currency, price_source, proceeds_source, refunded_at,
                refund_kind, refund_micros, is_upgraded, source_version, subscription_group, run_id, run_id,
                recurring_price_micros, seats, refund_parts, base_plan_id
            from subledger.transaction_versions
            where subscription_key = $1 and transaction_id = $2 and product_id = $3
            order by version desc
            limit 1
            on conflict (subscription_key, transaction_id, product_id) do update set
                price_micros = excluded.price_micros, tax_micros = excluded.tax_micros,
                proceeds_micros = excluded.proceeds_micros,
                recurring_price_micros = excluded.recurring_price_micros, currency = excluded.currency,
                price_source = excluded.price_source, proceeds_source = excluded.proceeds_source,
                seats = excluded.seats, refund_parts = excluded.refund_parts,
                refunded_at = excluded.refunded_at, refund_kind = excluded.refund_kind,
                refund_micros = excluded.refund_micros, is_upgraded = excluded.is_upgraded, kind = excluded.kind,
                period_end = excluded.period_end, lineage_key = excluded.lineage_key,
                changed_run_id = excluded.changed_run_id
            """, [.int(sale.key), .text(sale.id), .text(sale.product)])
    }

    /// A movement of money of a sale: the next entry of it.
    func booked(
        _ kind: String, _ micros: Int64, at instant: String, of sale: Sale, tax: Int64? = nil, proceeds: Int64? = nil,
        seal: Int64 = 1
    ) async throws {
        try await run(
            """
            insert into subledger.ledger_entries (
                subscription_key, transaction_id, product_id, seq, kind, corrects, occurred_at, recorded_at, run_id,
                amount_micros, currency, source, tax_micros, proceeds_micros)
            values ($1::bigint, $2::text, $3::text, (
                    select count(*) + 1 from subledger.ledger_entries
                    where subscription_key = $1 and transaction_id = $2 and product_id = $3
                ), $4::text, case when $4 = 'correction' then 1 end, $5::timestamptz, now(), $6, $7, $8, 'store_price',
                $9, $10)
            """,
            [
                .int(sale.key), .text(sale.id), .text(sale.product), .text(kind), .text(instant), .int(seal),
                .int(micros), PostgresValue(sale.currency), PostgresValue(tax), PostgresValue(proceeds),
            ])
    }

    /// A sale with its charge, as an untroubled night books it.
    func charged(_ sale: Sale, seal: Int64 = 1) async throws {
        try await sold(sale, seal: seal)
        try await booked(
            "charge", sale.price ?? 0, at: sale.from, of: sale, tax: sale.tax, proceeds: sale.proceeds, seal: seal)
    }

    /// What the store said of a subscription, learned by a run at its clock unless `recorded` says otherwise; `told` where the
    /// store can have said so only later than that.
    func became(
        _ state: String, key: Int64 = 1, at instant: String, recorded: String? = nil, reason: String? = nil,
        expires: String? = nil, grace: String? = nil, autoRenew: Bool? = nil, told: String? = nil, seal: Int64 = 1
    ) async throws {
        try await run(
            """
            insert into subledger.state_changes (
                subscription_key, change_id, occurred_at, recorded_at, run_id, state, expires_at, grace_expires_at,
                end_reason, auto_renew, told_at)
            values ($1::bigint, (
                    select count(*) + 1 from subledger.state_changes where subscription_key = $1::bigint
                ), $2::timestamptz,
                coalesce($3::timestamptz, $2::timestamptz), $4, $5, $6::timestamptz, $7::timestamptz, $8, $9,
                $10::timestamptz)
            """,
            [
                .int(key), .text(instant), PostgresValue(recorded), .int(seal), .text(state), PostgresValue(expires),
                PostgresValue(grace), PostgresValue(reason), autoRenew.map { .bool($0) } ?? .null,
                PostgresValue(told),
            ])
    }

    private func run(_ text: String, _ parameters: [PostgresValue]) async throws {
        try await connection.execute(Statement(name: "history", text: text), parameters)
    }
}

extension ReportWorld {
    /// `date product country currency charges refunds gross refunded net type` by line, columns separated by `|`.
    func revenue(seal: Int64 = 1, through: String = "2026-12-31", zone: String = "UTC") async throws -> [String] {
        try await connection.lines(
            """
            select date, product_id, country, currency, charges, refunds, gross::text, refunded::text, net::text,
                product_type
            from report.revenue_as_of($1, '-infinity', $2, $3)
            order by date, product_id collate "C", currency collate "C"
            """, [.int(seal), .date(through), .text(zone)])
    }

    /// The days on which somebody left, as a sentence each: `2026-03-05 monthly: opening 1, voluntary 1, rate 1.000000`.
    func ends(seal: Int64 = 1, through: String = "2026-12-31", zone: String = "UTC") async throws -> [String] {
        try await connection.lines(
            """
            select date || ' ' || product_id || ': opening ' || opening
                || coalesce((
                    select string_agg(', ' || name || ' ' || number, '' order by place)
                    from (values (1, 'voluntary', voluntary), (2, 'involuntary', involuntary), (3, 'price', price),
                        (4, 'product', product), (5, 'refund', refund), (6, 'other', other), (7, 'lapsed', lapsed),
                        (8, 'came and went', came_and_went)) part (place, name, number)
                    where number <> 0
                ), '') || coalesce(', rate ' || churn_rate, '') as line
            from report.churn_as_of($1, '-infinity', $2, $3)
            where churned + lapsed + came_and_went > 0
            order by date, product_id collate "C"
            """, [.int(seal), .date(through), .text(zone)])
    }

    /// `date opening` of all products together, for every day that the report has.
    func openings(seal: Int64 = 1, through: String, zone: String = "UTC") async throws -> [String] {
        try await connection.lines(
            """
            select date || ' ' || sum(opening) as line from report.churn_as_of($1, '-infinity', $2, $3)
            group by date order by date
            """, [.int(seal), .date(through), .text(zone)])
    }

    /// `date reason rows`, of all days.
    func exclusions(seal: Int64 = 1, zone: String = "UTC") async throws -> [String] {
        try await connection.lines(
            "select date, reason, rows from report.exclusions_as_of($1, '-infinity', 'infinity', $2) "
                + "order by date, reason", [.int(seal), .text(zone)])
    }

    /// Names of the checks that found something.
    func failedChecks(
        seal: Int64 = 1, subscriptions: [Int64]? = nil, timeZone: String = "UTC"
    ) async throws -> [String] {
        var failed: [String] = []
        for check in ReportCatalog.checks {
            let rows = try await connection.query(
                check.query, check.parameters(seal: seal, subscriptions: subscriptions, timeZone: timeZone))
            if !(try CheckOutcome(name: check.name, rows: rows).passed) { failed.append(check.name) }
        }
        return failed
    }
}
