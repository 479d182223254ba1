// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport

@testable import Reports

/// What the reports say of it: churn, revenue, what is left out, and the checks.
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
