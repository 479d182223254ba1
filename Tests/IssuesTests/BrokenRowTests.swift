// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// One row of a history that reconciles is broken by hand: its check fails with the row, and the report says so.
@Suite struct BrokenRowTests {
    struct Fault: CustomTestStringConvertible {
        /// The check that is there for it.
        let check: String
        let what: String
        let statement: String
        /// A part of the row's name that the check must show.
        let subject: String
        /// Checks that cannot but notice it, too.
        var others: [String] = []
        /// The report whose printed rows are broken; nil: a table of the books is.
        var report: String?

        var testDescription: String { "\(check): \(what)" }
    }

    /// Rows of the books: a price, a date, a state, a duplicate.
    static let books = [
        Fault(
            check: "transactions_equal_their_images", what: "a price of today's picture",
            statement: "update subledger.transactions set price_micros = 8990000 where transaction_id = 't2'",
            // What was sold is added up from today's rows.
            subject: "t2 price", others: ["revenue_equals_transactions"]),
        Fault(
            check: "transactions_equal_their_images", what: "a date of today's picture",
            statement:
                "update subledger.transactions set purchased_at = '2026-02-04 12:00Z' where transaction_id = 't2'",
            subject: "t2 purchased at"),
        Fault(
            check: "transactions_equal_their_images", what: "a date of the history",
            statement:
                "update subledger.transaction_versions set period_end = '2026-03-07Z' where transaction_id = 't2'",
            subject: "t2 period end"),
        Fault(
            check: "transactions_equal_their_images", what: "a row that is gone",
            statement: "delete from subledger.transactions where transaction_id = 't2'", subject: "t2",
            // Its money is of no app any more.
            others: [
                "recognised_and_deferred_equal_billed", "revenue_equals_transactions", "revenue_products_add_up",
            ]),
        Fault(
            check: "transactions_equal_their_images", what: "a row twice, under another id",
            statement: """
                create temp table copied as select * from subledger.transactions where transaction_id = 't2';
                update copied set transaction_id = 't2-copy', period_key = 'copy';
                insert into subledger.transactions select * from copied
                """, subject: "t2-copy", others: ["revenue_equals_transactions"]),
        Fault(
            check: "states_equal_their_changes", what: "a state of the history",
            statement: "update subledger.state_changes set state = 'active', end_reason = null where state = 'expired'",
            subject: "3 state"),
        Fault(
            check: "states_equal_their_changes", what: "a date of today's picture",
            statement: "update subledger.subscriptions set expires_at = '2026-02-11Z' where subscription_key = 3",
            subject: "3 expiry"),
        Fault(
            check: "entries_stand_at_their_instants", what: "a charge's date",
            statement: "update subledger.ledger_entries set occurred_at = '2026-02-06Z' where transaction_id = 't2'",
            subject: "t2 charge 1"),
        Fault(
            check: "entries_stand_at_their_instants", what: "a refund's date",
            statement: "update subledger.ledger_entries set occurred_at = '2026-02-14Z' where kind = 'refund'",
            subject: "r1 refund 2"),
        Fault(
            check: "ledger_sum_equals_transaction", what: "an amount booked",
            statement: "update subledger.ledger_entries set amount_micros = 9980000 where transaction_id = 't2'",
            subject: "t2", others: ["revenue_equals_transactions"]),
        Fault(
            check: "revenue_equals_transactions", what: "the currency of an amount booked",
            statement: "update subledger.ledger_entries set currency = 'EUR' where transaction_id = 't2'",
            subject: "EUR gross"),
        Fault(
            check: "ledger_tax_equals_transaction", what: "a tax booked",
            statement: "update subledger.ledger_entries set tax_micros = 1 where transaction_id = 'GPA.1'",
            subject: "GPA.1 tax"),
        Fault(
            check: "every_charge_has_one_entry", what: "a charge twice, and its surplus taken back elsewhere",
            statement: """
                alter table subledger.ledger_entries drop constraint charges_are_first_entries;
                insert into subledger.ledger_entries
                select subscription_key, transaction_id, product_id, 2, 'charge', null, occurred_at, recorded_at, run_id,
                    1000000, null, null, currency, source
                from subledger.ledger_entries where transaction_id = 't2';
                update subledger.ledger_entries set amount_micros = amount_micros - 1000000
                where transaction_id = 't2' and seq = 1
                """, subject: "t2"),
        Fault(
            check: "no_overlapping_paid_periods", what: "a renewal twice, with its money",
            statement: """
                create temp table image as select * from subledger.transaction_versions where transaction_id = 't2';
                update image set transaction_id = 't2-copy', period_key = 'copy';
                insert into subledger.transaction_versions select * from image;
                create temp table held as select * from subledger.transactions where transaction_id = 't2';
                update held set transaction_id = 't2-copy', period_key = 'copy';
                insert into subledger.transactions select * from held;
                create temp table entry as select * from subledger.ledger_entries where transaction_id = 't2';
                update entry set transaction_id = 't2-copy';
                insert into subledger.ledger_entries select * from entry
                """, subject: "t2-copy"),
    ]

    /// Rows of the reports themselves, as a fault of a report would print them.
    static let printed = [
        Fault(
            check: "mrr_bridge_closes", what: "a movement forgotten",
            statement: "update book set expansion = 0 where date = '2026-02-05'", subject: "2026-02-05 acme-ios",
            report: "mrr_bridge"),
        Fault(
            check: "mrr_openings_join", what: "an opening",
            statement:
                "update book set opening = opening + 1, contraction = contraction - 1 where date = '2026-01-20' and product_id = 'monthly'",
            subject: "2026-01-20 acme-ios app_store monthly USD", report: "mrr_bridge"),
        Fault(
            check: "mrr_equals_paid_periods", what: "a closing that no period stands for",
            statement:
                "update book set closing = closing + 1, new = new + 1 where date = '2026-01-12' and product_id = 'yearly'",
            subject: "2026-01-12 acme-ios app_store yearly USD", others: ["mrr_openings_join"], report: "mrr_bridge"),
        Fault(
            check: "mrr_products_add_up", what: "a product's last day",
            statement: "delete from book where date = '2026-02-20' and product_id = 'yearly'",
            subject: "acme-ios USD", others: ["mrr_openings_join"], report: "mrr_bridge"),
        Fault(
            check: "subscribers_close", what: "a number of subscribers",
            statement: "update book set active = active + 1 where date = '2026-01-15' and product_id = 'monthly'",
            subject: "2026-01-15 acme-ios app_store monthly", report: "subscribers"),
        Fault(
            check: "churn_opening_closes", what: "a churned lineage",
            statement: "update book set churned = 0 where date = '2026-02-10'",
            subject: "2026-02-10 acme-ios app_store",
            report: "churn"),
        Fault(
            check: "every_row_is_counted", what: "an exclusion forgotten",
            statement: "delete from book where reason = 'trial'", subject: "acme-ios", report: "exclusions"),
        Fault(
            check: "refunds_equal_ledger", what: "a refund's day",
            statement: "update book set date = '2026-02-16' where date = '2026-02-15'", subject: "2026-02-15 acme-ios",
            report: "refunds"),
        Fault(
            check: "recognised_and_deferred_equal_billed", what: "a day's earnings",
            statement:
                "update book set recognised = recognised + 0.000001 where date = '2026-01-20' and product_id = 'yearly'",
            subject: "acme-ios app_store yearly USD", report: "recognised"),
        Fault(
            check: "deferred_equals_open_periods", what: "what is owed at the end of a month",
            statement:
                "update book set deferred = deferred + 0.000001 where date = '2026-01-31' and product_id = 'yearly'",
            subject: "2026-01-31 acme-ios app_store yearly USD", others: ["recognised_and_deferred_equal_billed"],
            report: "recognised"),
        Fault(
            check: "revenue_products_add_up", what: "a product's day",
            statement: "update book set date = '2026-02-06' where date = '2026-02-05'", subject: "2026-02-05 acme-ios",
            report: "revenue"),
    ]

    @Test(arguments: books)
    func `a row of the books broken by hand fails its check, with the row`(_ fault: Fault) async throws {
        try await Self.expectFound(fault)
    }

    @Test(arguments: printed)
    func `a row of a report broken by hand fails its check, with the row`(_ fault: Fault) async throws {
        try await ReportWorld.with { world in
            try await Self.history(world)
            let spoil = world.spoiling(try #require(fault.report), fault.statement)
            try Self.expect(try await world.outcomes(spoiledBy: spoil), finding: fault)
        }
    }

    @Test func `every check has its test`() {
        // What nights have missed: CheckedRowsTests.
        let tested = Set((Self.books + Self.printed).map(\.check) + ["periods_equal_history"])
        #expect(tested == Set(ReportCatalog.checks.map(\.name)))
    }

    @Test
    func `a report issued while the books agreed is issued again, not reconciled, beside the first`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await Self.history(world)
                let sound = try await Self.issue(world, directory)
                #expect(sound.isReconciled && sound.checks.count == 20)
                try await world.connection.script(Self.broken(Self.books[0]))
                let issued = try await Self.issue(world, directory)
                #expect(!issued.isReconciled && issued.path == sound.path + ".2")
                let pages = try [sound, issued].map {
                    try String(contentsOfFile: $0.path + "/report.html", encoding: .utf8)
                }
                #expect(pages[0].contains("Agrees and complete") && pages[1].contains("Not reconciled"))
            }
        }
    }

    private static func expectFound(_ fault: Fault) async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await history(world)
                try await world.connection.script(broken(fault))
                let issued = try await issue(world, directory)
                #expect(!issued.isReconciled)
                let check = try expect(issued.checks, finding: fault)
                let page = try String(contentsOfFile: "\(issued.path)/report.html", encoding: .utf8)
                let isSaid = page.contains("Not reconciled") && page.contains(check.title)
                #expect(isSaid)
                let data = try #require(FileManager.default.contents(atPath: "\(issued.path)/manifest.json"))
                #expect(try !Manifest(json: data).reconciled)
            }
        }
    }

    @discardableResult
    private static func expect(_ outcomes: [CheckOutcome], finding fault: Fault) throws -> CheckOutcome {
        let failed = outcomes.filter { !$0.passed }
        #expect(failed.map(\.name) == (fault.others + [fault.check]).sorted())
        let check = try #require(failed.first { $0.name == fault.check })
        #expect(check.differences.contains { $0.subject.contains(fault.subject) })
        return check
    }

    /// The books' history may not be changed but by hand.
    private static func broken(_ fault: Fault) -> String {
        let tables = ["transaction_versions", "ledger_entries", "state_changes"]
        return tables.map { "alter table subledger.\($0) disable trigger all;\n" }.joined() + fault.statement
    }

    private static func issue(_ world: ReportWorld, _ directory: String) async throws -> IssuedReport {
        try await ReportStage().issue(
            on: world.connection,
            request: ReportRequest(
                seal: 1, runID: 1, businessDate: try #require(BusinessDate("2026-02-20")),
                asOf: try #require(Instant(iso8601: "2026-02-21T02:00:00Z")), directory: directory))
    }

    /// Two products, a change of price, a refund, an end, a trial, and a Play order whose tax is known.
    private static func history(_ world: ReportWorld) async throws {
        try await world.night(1, for: "2026-02-20")
        try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
        try await world.charged(
            Sale(id: "t2", kind: "renewal", from: "2026-02-05 12:00Z", to: "2026-03-05 12:00Z", price: 12_990_000))
        try await world.charged(
            Sale(key: 2, id: "y1", product: "yearly", from: "2026-01-10 12:00Z", to: "2027-01-10 12:00Z"))
        try await world.charged(Sale(key: 3, id: "e1", from: "2026-01-10 12:00Z", to: "2026-02-10 12:00Z"))
        try await world.became(
            "expired", key: 3, at: "2026-02-10 12:00Z", reason: "voluntary", expires: "2026-02-10 12:00Z")
        var refunded = Sale(key: 4, id: "r1", from: "2026-02-12 12:00Z", to: "2026-03-12 12:00Z")
        (refunded.refundedAt, refunded.refundKind, refunded.refund) = ("2026-02-15 12:00Z", "full", 9_990_000)
        try await world.charged(refunded)
        try await world.booked("refund", -9_990_000, at: "2026-02-15 12:00Z", of: refunded)
        try await world.sold(
            Sale(key: 5, id: "f1", kind: "trial", from: "2026-02-12 12:00Z", to: "2026-02-19 12:00Z", price: 0))
        try await world.charged(
            Sale(
                key: 6, id: "GPA.1", product: "play", from: "2026-02-01 12:00Z", to: "2026-03-01 12:00Z",
                store: "google_play", tax: 1_600_000, proceeds: 7_100_000))
        try await world.connection.script(
            """
            insert into subledger.subscriptions (
                subscription_key, lineage_key, app_id, store, store_key, registered_at, state, end_reason, expires_at,
                ended_at, last_checked_at)
            values (3, 3, 'acme-ios', 'app_store', '3', now(), 'expired', 'voluntary', '2026-02-10 12:00Z',
                '2026-02-10 12:00Z', now())
            """)
    }
}
