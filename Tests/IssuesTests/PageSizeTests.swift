// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// From nothing at all to three years of two hundred products, a page says something sensible and stays a file to be mailed.
@Suite struct PageSizeTests {
    private static let megabyte = 1_000_000

    private static func page(of world: ReportWorld, on date: String, asOf instant: String) async throws -> String {
        try await withTemporaryDirectory { directory in
            let issued = try await ReportStage().issue(
                on: world.connection,
                request: ReportRequest(
                    seal: 1, runID: 1, businessDate: try #require(BusinessDate(date)),
                    asOf: try #require(Instant(iso8601: instant)), directory: directory))
            #expect(issued.isReconciled)
            return try String(contentsOfFile: "\(issued.path)/report.html", encoding: .utf8)
        }
    }

    /// How many sections say that there is nothing.
    private static func emptySections(_ page: String) -> Int {
        page.components(separatedBy: "Nothing to show in this period.").count - 1
    }

    @Test func `books without a sale make a page without a figure`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-06")
            let page = try await Self.page(of: world, on: "2026-02-06", asOf: "2026-02-07T02:00:00Z")
            // Every report but the list of changes, which has a sentence of its own; once more among the script's texts.
            #expect(Self.emptySections(page) >= ReportCatalog.reports.count - 1)
            #expect(!page.contains(">NaN<") && !page.contains("null</") && !page.contains("<th scope=\"row\""))
            #expect(page.utf8.count < Self.megabyte)
        }
    }

    @Test func `one sale on one day is one figure everywhere`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-06")
            let sale = Sale(from: "2026-02-06 10:00Z", to: "2026-03-06 10:00Z")
            try await world.charged(sale)
            try await world.became("active", at: sale.from, expires: sale.to)
            let page = try await Self.page(of: world, on: "2026-02-06", asOf: "2026-02-07T02:00:00Z")
            for section in ["mrr_bridge", "revenue"] {
                #expect(page.contains(##"<a class="figure" href="#\##(section)">9.99<"##))
            }
            #expect(!page.contains(">NaN<"))
        }
    }

    /// One customer of each product pays every month, in twenty countries.
    @Test func `three years of two hundred products stay below three megabytes`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2025-12-31")
            let sale = Sale(from: "2023-01-10 12:00Z", to: "2023-02-10 12:00Z")
            try await world.charged(sale)
            try await world.became("active", at: "2025-12-10 12:00Z", expires: "2026-01-10 12:00Z")
            try await world.connection.script(Self.copies)
            let page = try await Self.page(of: world, on: "2025-12-31", asOf: "2026-01-01T02:00:00Z")
            // 200 customers of 9.99 in December, all of them still there.
            #expect(page.contains(">1,998.00<"))
            #expect(page.utf8.count < 3 * Self.megabyte)
        }
    }

    /// Copies of the one sale that is there: 200 customers, each of a product of their own, times 36 months.
    ///
    /// 0 is the original.
    private static let copies = """
        create temp table copy as
        select
            product, month, product * 36 + month as number,
            jsonb_build_object(
                'subscription_key', 1 + product, 'lineage_key', 1 + product, 'transaction_id', product || '-' || month,
                'product_id', 'product.' || lpad(product::text, 3, '0'), 'country', country,
                'kind', case month when 0 then 'purchase' else 'renewal' end,
                'period_key', product || '-' || month, 'purchased_at', starts_at, 'occurred_at', starts_at,
                'period_start', starts_at, 'period_end', starts_at + interval '1 month'
            ) as change
        from generate_series(0, 199) product
        cross join generate_series(0, 35) month
        cross join lateral (
            select
                timestamptz '2023-01-10 12:00Z' + month * interval '1 month' as starts_at,
                (array['US', 'GB', 'JP', 'DE', 'FR', 'IT', 'ES', 'NL', 'SE', 'NO', 'DK', 'FI', 'PL', 'CH', 'AT', 'BE',
                    'IE', 'PT', 'CA', 'AU'])[1 + product % 20] as country
        ) own;

        insert into subledger.transaction_versions
        select made.*
        from subledger.transaction_versions held
        cross join copy
        cross join lateral jsonb_populate_record(held, copy.change) made
        where copy.number > 0;

        insert into subledger.transactions
        select made.*
        from subledger.transactions held
        cross join copy
        cross join lateral jsonb_populate_record(held, copy.change) made
        where copy.number > 0;

        insert into subledger.ledger_entries
        select made.*
        from subledger.ledger_entries held
        cross join copy
        cross join lateral jsonb_populate_record(held, copy.change - 'kind') made
        where copy.number > 0;
        """
}
