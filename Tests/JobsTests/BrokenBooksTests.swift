// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import TestSupport
import Testing

/// The built program over books that do not close.
@Suite struct BrokenBooksTests {
    private static func run(_ arguments: [String], in folder: ConfigurationFolder) async throws -> CommandLineRun.Result
    {
        try await CommandLineRun(
            product: "subledger", arguments: arguments, environment: ["SUBLEDGER_CONFIG": ""], folder: folder.path
        ).run()
    }

    private static let clock = ["--now", "2026-03-10T02:00:00Z", "--quiet"]

    @Test func `a report over broken books says so at its top and exits 2; over sound ones it exits 0`() async throws {
        try await ConfigurationFolder.with { folder in
            let started = try await Self.run(["db", "start", "--quiet"], in: folder)
            let server = started.standardOutput.split(separator: "\"").dropFirst().first
            try await Self.run(["migrate", "--quiet"], in: folder).expect(0)
            let configuration = try PostgresConfiguration(url: String(try #require(server)))
            let connection = try await PostgresConnection.connect(configuration)
            try await connection.script(Self.sale)
            let sound = try await Self.run(["report"] + Self.clock, in: folder)
            #expect(sound.exitCode == 0)
            try await connection.script(
                "update subledger.transactions set price_micros = 8990000 where transaction_id = 't1'")
            let broken = try await Self.run(["report"] + Self.clock, in: folder)
            #expect(broken.exitCode == 2)
            #expect(broken.standardError.contains("the books do not close: see the top of the report"))
            let path = broken.standardOutput.trimmingCharacters(in: .newlines)
            let page = try String(contentsOfFile: "\(path)/report.html", encoding: .utf8)
            // What was sold is added up from the same row.
            let failed = "Not reconciled: revenue equals transactions, transactions equal their images"
            let isSaid = page.contains(failed) && page.contains("t1 price")
            #expect(isSaid)
            try await Self.run(["db", "stop", "--quiet"], in: folder).expect(0)
        }
    }

    /// One sale with its charge, as a night sealed it.
    private static let sale = """
        insert into subledger.runs (
            run_id, job, business_date, logical_now, finished_at, sealed_at, seal, outcome, host, process_id)
        overriding system value
        values (1000, 'nightly', '2026-03-08', '2026-03-09 02:00Z', now(), now(), 1, 'done', 'here', 1);
        update subledger.settings set last_seal = 1;
        insert into subledger.transactions (
            subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key, kind,
            ownership, purchased_at, period_start, period_end, price_micros, currency, price_source, source_version,
            recorded_run_id, changed_run_id)
        values (1, 't1', 'monthly', 1, 'acme-ios', 'app_store', 'production', 'w1', 'purchase', 'purchased',
            '2026-03-01Z', '2026-03-01Z', '2026-04-01Z', 9990000, 'USD', 'store_price', '2026-03-02Z', 1000, 1000);
        insert into subledger.transaction_versions (
            subscription_key, transaction_id, product_id, version, run_id, recorded_at, lineage_key, app_id, store,
            environment, period_key, kind, is_trial_conversion, ownership, quantity, purchased_at, period_start,
            period_end, price_micros, currency, price_source, proceeds_source, is_upgraded, source_version)
        select subscription_key, transaction_id, product_id, 1, 1000, now(), lineage_key, app_id, store, environment,
            period_key, kind, false, ownership, 1, purchased_at, period_start, period_end, price_micros, currency,
            price_source, 'missing', false, source_version
        from subledger.transactions;
        insert into subledger.ledger_entries (
            subscription_key, transaction_id, product_id, seq, kind, occurred_at, recorded_at, run_id, amount_micros,
            currency, source)
        values (1, 't1', 'monthly', 1, 'charge', '2026-03-01Z', now(), 1000, 9990000, 'USD', 'store_price')
        """
}

extension CommandLineRun.Result {
    fileprivate func expect(_ code: Int32) { #expect(exitCode == code) }
}
