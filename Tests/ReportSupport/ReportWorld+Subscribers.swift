// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport

extension ReportWorld {
    static let buckets = [
        "imported", "moved_in", "new", "expansion", "reactivation", "recovery", "contraction", "churn_voluntary",
        "churn_involuntary", "churn_price", "churn_product", "churn_refund", "churn_other", "lapsed", "paused",
        "moved_out", "fx",
    ]

    /// The days on which MRR moved, as a sentence each:
    /// `2026-03-05 monthly USD: 0.000000, new 9.990000 = 9.990000`.
    func bridge(seal: Int64 = 1, through: String = "2026-12-31", zone: String = "UTC") async throws -> [String] {
        let parts = Self.buckets.enumerated().map { "(\($0.offset), '\($0.element)', \($0.element))" }
        return try await reported(
            """
            select date || ' ' || product_id || ' ' || currency || ': ' || opening
                || (
                    select string_agg(', ' || name || ' ' || amount, '' order by place)
                    from (values \(parts.joined(separator: ", "))) part (place, name, amount)
                    where amount <> 0
                ) || ' = ' || closing as line
            from mrr_bridge
            where greatest(\(Self.buckets.joined(separator: ", "))) <> 0
                or least(\(Self.buckets.joined(separator: ", "))) <> 0
            order by date, product_id collate "C", currency collate "C"
            """, seal: seal, through: through, zone: zone)
    }

    /// Who stood where at the end of a day: `monthly: active 2, grace 1`.
    func subscribers(on day: String, seal: Int64 = 1, zone: String = "UTC") async throws -> [String] {
        try await reported(
            """
            select product_id || ': ' || (
                select string_agg(name || ' ' || number, ', ' order by place)
                from (values (1, 'active', active), (2, 'trial', trial), (3, 'grace', grace),
                    (4, 'billing_retry', billing_retry), (5, 'paused', paused), (6, 'family_shared', family_shared),
                    (7, 'set_to_cancel', set_to_cancel), (8, 'unread', unread)) part (place, name, number)
                where number <> 0
            ) as line
            from subscribers
            order by product_id collate "C"
            """, seal: seal, from: day, through: day, zone: zone)
    }

    /// A product of the catalogue, valid from the beginning of time unless it says otherwise.
    func product(
        _ id: String, _ period: String, plan: String = "", from: String = "-infinity", seal: Int64 = 1
    ) async throws {
        try await connection.execute(
            Statement(
                name: "product",
                text: """
                    insert into subledger.products (
                        app_id, product_id, period, valid_from, recorded_run_id, base_plan_id)
                    values ('acme-ios', $1, $2, $3, $4, $5)
                    """), [.text(id), .text(period), .date(from), .int(seal), .text(plan)])
    }
}
