// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering

/// What the reports say of it: churn, revenue, what is left out, and the checks.
extension ReportWorld {
    /// `date product country currency charges refunds gross refunded net type` by line, columns separated by `|`.
    func revenue(seal: Int64 = 1, through: String = "2026-12-31", zone: String = "UTC") async throws -> [String] {
        try await reported(
            """
            select date, product_id, country, currency, charges, refunds, gross::text, refunded::text, net::text,
                product_type
            from revenue
            order by date, product_id collate "C", currency collate "C"
            """, seal: seal, through: through, zone: zone)
    }

    /// The days on which somebody left, as a sentence each: `2026-03-05 monthly: opening 1, voluntary 1, rate 1.000000`.
    func ends(seal: Int64 = 1, through: String = "2026-12-31", zone: String = "UTC") async throws -> [String] {
        try await reported(
            """
            select date || ' ' || product_id || ': opening ' || opening
                || coalesce((
                    select string_agg(', ' || name || ' ' || number, '' order by place)
                    from (values (1, 'voluntary', voluntary), (2, 'involuntary', involuntary), (3, 'price', price),
                        (4, 'product', product), (5, 'refund', refund), (6, 'other', other), (7, 'lapsed', lapsed),
                        (8, 'came and went', came_and_went)) part (place, name, number)
                    where number <> 0
                ), '') || coalesce(', rate ' || churn_rate, '') as line
            from churn
            where churned + lapsed + came_and_went > 0
            order by date, product_id collate "C"
            """, seal: seal, through: through, zone: zone)
    }

    /// `date opening` of all products together, for every day that the report has.
    func openings(seal: Int64 = 1, through: String, zone: String = "UTC") async throws -> [String] {
        try await reported(
            """
            select date || ' ' || sum(opening) as line from churn
            group by date order by date
            """, seal: seal, through: through, zone: zone)
    }

    /// `date reason rows`, of all days.
    func exclusions(seal: Int64 = 1, zone: String = "UTC") async throws -> [String] {
        try await reported(
            "select date, reason, rows from exclusions order by date, reason", seal: seal, through: "infinity",
            zone: zone)
    }
}
