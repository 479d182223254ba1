// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import TestSupport
import Testing

@testable import Operations
@testable import subledger

/// What `explain` says of a row beyond its price: the plan, the seats, whose purchase it is, what the store paid of it, and how
/// its refund came about.
@Suite struct ExplanationTextTests {
    private static let now = Instant(micros: 1_767_225_600_000_000)  // 2026-01-01T00:00:00Z

    /// The line of a transaction for 9.99 EUR whose columns are changed like that; of a plain one where nothing is.
    private static func line(_ changes: String = "") async throws -> String {
        var found = ""
        try await withLedgerDatabase { connection, _ in
            try await connection.script(
                """
                insert into subledger.subscriptions (
                    subscription_key, lineage_key, app_id, store, store_key, registered_at)
                values (1, 1, 'acme-ios', 'app_store', '1', '2025-01-01');
                insert into subledger.transactions (
                    subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key,
                    kind, ownership, quantity, purchased_at, period_start, period_end, price_micros, currency,
                    price_source, source_version, recorded_run_id, changed_run_id)
                values (1, 'row-1', 'gold', 1, 'acme-ios', 'app_store', 'production', 'p', 'purchase', 'purchased', 10,
                    '2025-12-01Z', '2025-12-01Z', '2026-01-01Z', 9990000, 'EUR', 'store_price', '2025-12-02Z', 1, 1);
                """)
            if !changes.isEmpty { try await connection.script("update subledger.transactions set \(changes)") }
            let story = try #require(try await Explanation.find("1", on: connection, now: now).first)
            let text = ExplanationText(story, now: now, hasBodies: false).description
            found = String(try #require(text.split(separator: "\n").first { $0.contains("row-1") }))
        }
        return found
    }

    private static let refund = "refunded_at = '2025-12-05Z', refund_micros = 2000000, refund_kind"

    @Test(
        arguments: [
            ("base_plan_id = 'yearly'", "  plan yearly  "), ("seats = 8", "  8 seats held  "),
            ("seats = 0", "  0 seats held  "), ("store_discount_micros = 2500000", "  the store paid 2.50 of it  "),
            ("ownership = 'assigned'", "  assigned  "), ("ownership = 'family_shared'", "  family shared  "),
            ("\(refund) = 'partial'", "  refunded 2025-12-05T00:00:00Z (partial)  "),
            ("\(refund) = 'partial', refund_source = 'store_amount'", "  refunded 2025-12-05T00:00:00Z (partial)  "),
            (
                "\(refund) = 'partial', refund_source = 'derived'",
                "  refunded 2025-12-05T00:00:00Z (partial, worked out)  "
            ),
            (
                "\(refund) = 'full', refund_reason = 'chargeback'",
                "  refunded 2025-12-05T00:00:00Z (full, charge-back)  "
            ),
        ])
    func `explain names what a row has beside its price`(changes: String, words: String) async throws {
        let line = try await Self.line(changes)
        #expect(line.contains(words), "\(line)")
        #expect(line.contains("  9.99 EUR (store_price)  "), "\(line)")
    }

    @Test func `explain says nothing of what a row does not have`() async throws {
        let line = try await Self.line()
        for word in ["plan", "seats", "the store paid", "purchased", "refunded", "charge-back", "worked out"] {
            #expect(!line.contains(word), "\(word): \(line)")
        }
    }
}
