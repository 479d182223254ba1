// SPDX-License-Identifier: Apache-2.0

import Foundation
import Intake
import Model
import Runs
import Testing
import TestSupport

/// Which rows of a receipt count, and how their dates are read.
@Suite(.hangLimit) struct ReceiptRowTests {
    private static let weekly = "verify_receipt_production_weekly"
    /// 2021-08-09T18:30:00Z, four minutes after the answer was given.
    private static let summer = Instant(milliseconds: 1_628_533_800_000)
    /// Worked out from the answer by hand.
    private static let booked = [
        "1000000831360853|basic_subscription_1_month|production|trial||",
        "230001017218955|basic_subscription_1_month|production|purchase||",
        "230001020690335|basic_subscription_1_month|production|renewal||",
    ]

    private static func take(
        _ answer: [String: Any], at now: Instant = summer, _ body: (IntakeWorld, IntakeSummary) async throws -> Void
    ) async throws {
        try await IntakeWorld.with { world in
            world.desk.on("/verifyReceipt", 200, try Receipts.json(answer))
            try await world.handIn("weekly", "receipt", "TUlJVlFZ")
            try await body(world, try await world.intake(at: now, app: "weekly"))
        }
    }

    @Test func `A3: both lists are read, and latest_receipt_info wins where in_app lags behind`() async throws {
        var answer = try Receipts.object(Self.weekly)
        var receipt = try #require(answer["receipt"] as? [String: Any])
        let newest = try #require((answer["latest_receipt_info"] as? [[String: Any]])?.first)
        // in_app still holds the newest period as it was before it was refunded.
        receipt["in_app"] = (receipt["in_app"] as? [[String: Any]] ?? []) + [newest]
        answer["receipt"] = receipt
        answer["latest_receipt_info"] = (answer["latest_receipt_info"] as? [[String: Any]] ?? []).map { row in
            row["transaction_id"] as? String == "230001020690335"
                ? row.merging(["cancellation_date_ms": "1628500000000"]) { $1 } : row
        }
        try await Self.take(answer) { (world, _) async throws in
            #expect(try await world.transactions() == Self.booked)
            let refunds = try await world.connection.lines(
                "select transaction_id from subledger.transactions where refunded_at is not null")
            #expect(refunds == ["230001020690335"])
            #expect(try await world.verdicts() == ["accepted|true|true|true|false"])
        }
    }

    @Test(arguments: [false, true])
    func `A3: no order is assumed: the newest by purchase date speaks`(isReversed: Bool) async throws {
        var answer = try Receipts.object(Self.weekly)
        let rows = answer["latest_receipt_info"] as? [[String: Any]] ?? []
        answer["latest_receipt_info"] = isReversed ? rows.reversed() : rows
        try await Self.take(answer) { (world, _) async throws in
            #expect(try await world.transactions() == Self.booked)
            #expect(
                try await world.subscriptions() == [
                    "1000000831360853|alice|basic_subscription_1_month|production|active|2021-08-11 19:41:58"
                ])
        }
    }

    /// A row of a one-time product, in a receipt without `latest_receipt_info`.
    private static func oneTimeReceipt() throws -> [String: Any] {
        var answer = try Receipts.object(weekly)
        var receipt = try #require(answer["receipt"] as? [String: Any])
        receipt["in_app"] = [
            [
                "quantity": "1", "product_id": "coins", "transaction_id": "31", "original_transaction_id": "31",
                "purchase_date_ms": "1628500000000", "original_purchase_date_ms": "1628500000000",
                "is_trial_period": "false",
            ]
        ]
        answer["receipt"] = receipt
        for key in ["latest_receipt_info", "latest_receipt", "pending_renewal_info"] { answer[key] = nil }
        return answer
    }

    @Test
    func `A3: a receipt of one-time products is accepted and booked as sales, apart from subscriptions`() async throws {
        try await Self.take(try Self.oneTimeReceipt()) { (world, _) async throws in
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(try await world.transactions() == ["31|coins|production|one_time||"])
            #expect(try await world.subscriptions().isEmpty)
            let checked = try await world.connection.lines("select counts ->> 'checked' as n from subledger.run_chunks")
            #expect(checked == ["0"], "no subscription was checked")
            let row = try await world.connection.lines(
                """
                select p.subscription_key = t.subscription_key as is_its, a.endpoint
                from subledger.purchase_inbox p
                cross join subledger.transactions t
                join subledger.store_answers a on a.subscription_key = t.subscription_key
                """)
            #expect(row == ["true|verify_receipt"])
            try await world.handIn("weekly", "receipt", "TUlJVlFZ")
            try await world.intake(at: Self.summer + .minutes(5), app: "weekly")
            try await world.handIn("weekly", "receipt", "TUlJVlFZ", account: "mallory")
            try await world.intake(at: Self.summer + .minutes(10), app: "weekly")
            #expect(
                try await world.verdicts().suffix(2) == [
                    "accepted|true|true|false|true", "refused|true|true|false|true",
                ])
        }
    }

    @Test func `A3: a receipt with nothing in it is genuine, ours, and refused`() async throws {
        var answer = try Self.oneTimeReceipt()
        answer["receipt"] = (answer["receipt"] as? [String: Any])?.merging(["in_app": [Int]()]) { $1 }
        try await Self.take(answer) { (world, summary) async throws in
            #expect(try await world.verdicts() == ["refused|true|true||"])
            #expect(summary.outcome == .done)
        }
    }

    @Test func `A3: a receipt in the style of iOS 6, an object instead of an array, is read`() async throws {
        let transaction: [String: Any] = [
            "transaction_id": "11", "original_transaction_id": "11", "product_id": "gold", "quantity": "1",
            "bid": "com.adapty.sample_app", "bvrs": "1.0", "item_id": "5",
            "purchase_date": "2021-08-01 12:00:00 Etc/GMT", "purchase_date_ms": "1627819200000",
            "expires_date": "1630497600000", "expires_date_formatted": "2021-09-01 12:00:00 Etc/GMT",
        ]
        let answer: [String: Any] = [
            "status": 0, "receipt": transaction, "latest_receipt_info": transaction, "latest_receipt": "newer",
            "auto_renew_status": 1, "auto_renew_product_id": "gold",
        ]
        try await IntakeWorld.with { world in
            // It names no time of asking: the answer's own time counts.
            let body = try Receipts.json(answer)
            world.desk.on("/verifyReceipt") { _ in
                .init(200, body, headers: [("Date", "Mon, 09 Aug 2021 18:30:00 GMT")])
            }
            try await world.handIn("weekly", "receipt", "TUlJVlFZ")
            try await world.intake(at: Self.summer, app: "weekly")
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(try await world.transactions() == ["11|gold|production|purchase||"])
            #expect(try await world.subscriptions() == ["11|alice|gold|production|active|2021-09-01 12:00:00"])
        }
    }

    @Test(arguments: ["", "_ms", "_pst"])
    func `A4: any one of the three date forms suffices`(form: String) async throws {
        let names = ["purchase_date", "original_purchase_date", "expires_date"]
        let answer = Receipts.changingRows(of: try Receipts.object(Self.weekly)) { row in
            for name in names {
                for other in ["", "_ms", "_pst"] where other != form { row[name + other] = nil }
            }
        }
        try await Self.take(answer) { (world, _) async throws in
            #expect(try await world.transactions() == Self.booked)
            #expect(
                try await world.connection.lines(
                    """
                    select to_char(purchased_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as bought,
                        to_char(period_end at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as ends
                    from subledger.transactions order by purchased_at
                    """) == [
                        "2021-04-28 19:41:58|2021-05-05 19:41:58", "2021-07-28 19:41:58|2021-08-04 19:41:58",
                        "2021-08-04 19:41:58|2021-08-11 19:41:58",
                    ])
        }
    }

    @Test func `A4: a row whose date forms disagree is set aside, and its neighbours are booked`() async throws {
        let answer = Receipts.changingRows(of: try Receipts.object(Self.weekly)) { row in
            if row["transaction_id"] as? String == "230001017218955" {
                row["expires_date"] = "2021-08-04 20:41:58 Etc/GMT"
            }
        }
        try await Self.take(answer) { (world, summary) async throws in
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(try await world.transactions().map { $0.prefix(8) } == ["10000008", "23000102"])
            #expect(summary.outcome == .partial)
            let letters = try await world.connection.lines("select stage, reason from subledger.dead_letters")
            #expect(letters == ["transform|dates_disagree"])
        }
    }

    @Test
    func `A4: a receipt whose every row disagrees cannot be assessed: it waits, with a dead letter for a person`()
        async throws
    {
        let answer = Receipts.changingRows(of: try Receipts.object(Self.weekly)) { row in
            row["expires_date"] = "2031-08-04 20:41:58 Etc/GMT"
        }
        try await Self.take(answer) { (world, summary) async throws in
            #expect(try await world.verdicts() == ["pending||||"])
            #expect(summary.outcome == .partial)
            let letters = try await world.connection.lines("select stage, reason from subledger.dead_letters")
            #expect(letters == ["intake|dates_disagree"])
        }
    }
}
