// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import TestSupport

/// Rates, rules and tax as an import would have written them, and the reports that read them.
extension ReportWorld {
    /// An exchange rate as published; nil: not quoted on that day.
    func rate(
        _ currency: String, _ rate: String?, on day: String, base: String = "EUR", source: String = "ecb",
        flagged: Bool = false, seal: Int64 = 1
    ) async throws {
        try await connection.script(
            """
            insert into subledger.fx_rates (source, base, currency, rate_date, rate, is_flagged, recorded_run_id)
            values ('\(source)', '\(base)', '\(currency)', '\(day)', \(rate ?? "null"), \(flagged), \(seal))
            """)
    }

    /// Images of a sale with a refund that a later answer no longer shows.
    func oncePaidBack(_ sale: Sale, _ micros: Int64, at instant: String) async throws {
        var refunded = sale
        (refunded.refundedAt, refunded.refundKind, refunded.refund) = (instant, "partial", micros)
        try await sold(refunded)
        try await sold(sale)
    }

    func tax(_ country: String, _ rate: String, inclusive: Bool, from day: String = "-infinity", seal: Int64 = 1)
        async throws
    {
        try await connection.script(
            """
            insert into subledger.tax_rates (country, rate, is_inclusive, valid_from, recorded_run_id)
            values ('\(country)', \(rate), \(inclusive), '\(day)', \(seal))
            """)
    }

    func rule(
        _ rule: String, _ rate: String, store: String = "app_store", app: String = "", country: String = "",
        type: String = "", from day: String, to end: String? = nil, seal: Int64 = 1
    ) async throws {
        try await connection.script(
            """
            insert into subledger.commission_rules (
                rule, store, app_id, country, product_type, rate, valid_from, valid_to, recorded_run_id)
            values ('\(rule)', '\(store)', '\(app)', '\(country)', '\(type)', \(rate), '\(day)',
                \(end.map { "'\($0)'" } ?? "null"), \(seal))
            """)
    }

    /// The configuration's reporting currency changes after that seal.
    func report(in currency: String, after seal: Int64 = 0) async throws {
        try await connection.script(
            "insert into subledger.reporting_currencies (currency, after_seal) values ('\(currency)', \(seal))")
    }

    /// `date gross refunded net currency unconverted rates`, amounts in the reporting currency.
    func converted(seal: Int64 = 1) async throws -> [String] {
        try await reported(
            """
            select date, gross_reporting::text, refunded_reporting::text, net_reporting::text, reporting_currency,
                unconverted, reporting_rates
            from revenue
            order by date, product_id collate "C", currency collate "C"
            """, seal: seal, through: "infinity")
    }

    /// `date net tax proceeds estimated_share`, in the original currency.
    func proceeds(seal: Int64 = 1) async throws -> [String] {
        try await reported(
            """
            select date, net::text, tax::text, proceeds::text, estimated_share::text
            from revenue
            order by date, product_id collate "C", currency collate "C", country collate "C"
            """, seal: seal, through: "infinity")
    }

    /// `date recognised deferred`.
    func recognised(
        seal: Int64 = 1, from: String = "-infinity", through: String = "2026-12-31", zone: String = "UTC"
    ) async throws -> [String] {
        try await reported(
            """
            select date, recognised::text, deferred::text from recognised
            order by date, product_id collate "C", currency collate "C"
            """, seal: seal, from: from, through: through, zone: zone)
    }

    /// `date product kind refunds refunded`.
    func refunds(seal: Int64 = 1) async throws -> [String] {
        try await reported(
            """
            select date, product_id, kind, refunds, refunded::text
            from refunds
            order by date, product_id collate "C", kind collate "C"
            """, seal: seal, through: "infinity")
    }
}
