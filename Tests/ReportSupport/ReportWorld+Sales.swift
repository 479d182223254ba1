// SPDX-License-Identifier: Apache-2.0

import Postgres

/// A period or a one-time sale, as a run would have written it.
///
/// Instants are ISO texts in UTC unless they say otherwise.
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
    /// A later end that the App Store stated since.
    var extendedTo: String?
    /// The transaction of the bundle that includes it.
    var bundle: String?
    /// When it was charged, where not at its start.
    var charged: String?
}

extension ReportWorld {
    /// An image of a transaction: the next version of it.
    func sold(_ sale: Sale, seal: Int64 = 1) async throws {
        try await run(
            """
            insert into subledger.transaction_versions (
                subscription_key, transaction_id, product_id, version, run_id, recorded_at, lineage_key, app_id, store,
                environment, period_key, kind, is_trial_conversion, ownership, quantity, country, purchased_at,
                period_start, period_end, price_micros, currency, price_source, proceeds_source, refunded_at,
                refund_kind, refund_micros, is_upgraded, source_version, offer_type, subscription_group, tax_micros,
                proceeds_micros, recurring_price_micros, seats, refund_parts, base_plan_id,
                extended_until, bundle_transaction_id)
            values ($1::bigint, $2::text, $3::text, (
                    select count(*) + 1 from subledger.transaction_versions
                    where subscription_key = $1 and transaction_id = $2 and product_id = $3
                ), $4, now(), $18, $5, $19, $6, $2, $7, false, $8, 1, $9, coalesce($30::timestamptz, $10::timestamptz),
                $10::timestamptz, $11::timestamptz, $12::bigint, $13, case when $12::bigint is null then 'missing' else 'store_price' end,
                case when $23::bigint is null then 'missing' else 'store_order' end, $14::timestamptz, $15, $16, $17,
                now(), $20, $21, $22, $23::bigint, $24, $25, $26::jsonb, $27, $28::timestamptz, $29)
            """,
            [
                .int(sale.key), .text(sale.id), .text(sale.product), .int(seal), .text(sale.app),
                .text(sale.environment), .text(sale.kind), .text(sale.ownership), PostgresValue(sale.country),
                .text(sale.from), PostgresValue(sale.to), PostgresValue(sale.price), PostgresValue(sale.currency),
                PostgresValue(sale.refundedAt), PostgresValue(sale.refundKind), PostgresValue(sale.refund),
                .bool(sale.isUpgraded), .int(sale.lineage ?? sale.key), .text(sale.store),
                PostgresValue(sale.offerType), PostgresValue(sale.group), PostgresValue(sale.tax),
                PostgresValue(sale.proceeds), PostgresValue(sale.recurring), PostgresValue(sale.seats),
                PostgresValue(sale.refundParts), PostgresValue(sale.basePlan), PostgresValue(sale.extendedTo),
                PostgresValue(sale.bundle), PostgresValue(sale.charged),
            ])
        try await persist(sale)
    }

    /// The newest image as today's row.
    private func persist(_ sale: Sale) async throws {
        try await run(
            """
            insert into subledger.transactions (
                subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key, kind,
                is_trial_conversion, offer_type, ownership, quantity, country, purchased_at, period_start, period_end,
                price_micros, tax_micros, proceeds_micros, currency, price_source, proceeds_source, refunded_at,
                refund_kind, refund_micros, is_upgraded, source_version, subscription_group, recorded_run_id,
                changed_run_id, recurring_price_micros, seats, refund_parts, base_plan_id, extended_until,
                bundle_transaction_id)
            select
                subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key, kind,
                is_trial_conversion, offer_type, ownership, quantity, country, purchased_at, period_start, period_end,
                price_micros, tax_micros, proceeds_micros, currency, price_source, proceeds_source, refunded_at,
                refund_kind, refund_micros, is_upgraded, source_version, subscription_group, run_id, run_id,
                recurring_price_micros, seats, refund_parts, base_plan_id, extended_until, bundle_transaction_id
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
                extended_until = excluded.extended_until,
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
}
