// SPDX-License-Identifier: Apache-2.0

import Foundation
import Intake
import Model
import Runs
import Testing
import TestSupport

/// Receipts from the inbox to the books.
///
/// The two whole answers are ones that the real store gave.
@Suite(.hangLimit) struct ReceiptTests {
    private static let weekly = "verify_receipt_production_weekly"
    private static let sandbox = "verify_receipt_sandbox_trial_then_renewal"
    /// 2021-08-09T18:30:00Z, four minutes after the weekly answer was given.
    private static let summer = Instant(milliseconds: 1_628_533_800_000)
    private static let receipt = "TUlJVlFZ"

    private static func body(_ request: LoopbackServer.Request) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]) ?? [:]
    }

    /// Takes one receipt of the weekly app that the store answers so.
    private static func take(
        _ answer: [String: Any], app: String = "weekly", at now: Instant = summer,
        _ body: (IntakeWorld, IntakeSummary) async throws -> Void
    ) async throws {
        try await IntakeWorld.with { world in
            world.desk.on("/verifyReceipt", 200, try Receipts.json(answer))
            try await world.handIn(app, "receipt", receipt)
            try await body(world, try await world.intake(at: now, app: app))
        }
    }

    @Test
    func `A2: receipt, password, exclude-old-transactions are sent; the answer need not be called JSON`() async throws {
        try await IntakeWorld.with { world in
            let answer = try Receipts.text(Self.weekly)
            world.desk.on("/verifyReceipt") { _ in .init(200, answer, headers: [("Content-Type", "text/html")]) }
            try await world.handIn("weekly", "receipt", Self.receipt)
            try await world.intake(at: Self.summer)
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            let request = try #require(world.desk.requests.first)
            let body = Self.body(request)
            #expect(request.head.hasPrefix("POST /verifyReceipt "))
            #expect(body.count == 3)
            #expect(body["receipt-data"] as? String == Self.receipt)
            #expect(body["password"] as? String == "shared-canary")
            #expect(body["exclude-old-transactions"] as? Bool == false)
        }
    }

    @Test func `A2: production first; 21007 sends the same body to the sandbox`() async throws {
        try await IntakeWorld.with { world in
            world.desk.on("/verifyReceipt", 200, #"{"status":21007}"#)
            world.desk.on("/sandbox/verifyReceipt", 200, try Receipts.text(Self.sandbox))
            try await world.handIn("example", "receipt", Self.receipt)
            try await world.intake()
            #expect(world.desk.requests.map(\.path) == ["/verifyReceipt", "/sandbox/verifyReceipt"])
            #expect(Set(world.desk.requests.map(\.body)).count == 1)
            #expect(try await world.verdicts() == ["accepted|true|true|true|false"])
        }
    }

    @Test func `A2: 21008 sends a receipt that was taken for a sandbox one back to production`() async throws {
        try await IntakeWorld.with { world in
            world.desk.on("/sandbox/verifyReceipt", 200, #"{"status":21008}"#)
            world.desk.on("/verifyReceipt", 200, try Receipts.text(Self.weekly))
            try await world.connection.script(
                """
                select subledger.register(
                    'weekly', '1000000831360853', 'alice', environment => 'sandbox', receipt => '\(Self.receipt)')
                """)
            try await world.handIn("weekly", "original_transaction_id", "1000000831360853")
            try await world.handIn("weekly", "receipt", Self.receipt)
            try await world.intake(at: Self.summer)
            #expect(try await world.subscriptions().map { $0.contains("|production|active|") } == [true])
        }
    }

    @Test(
        arguments: [
            // 21000 and 21001 are mistakes of ours: no purchase can be assessed by them.
            ("21000", "pending||||", 1), ("21001", "pending||||", 1),
            // Malformed or temporary, and a store that is not available: asked again.
            ("21002", "pending||||", 4), ("21005", "pending||||", 4), ("21009", "pending||||", 4),
            // Not the store's, or of an account that is gone.
            ("21003", "refused|false|||", 1), ("21010", "refused|false|||", 1),
            // The shared secret: the app stops.
            ("21004", "pending||||", 1),
            // Internal: asked again only where the store says so, in every spelling and type.
            ("21100", "refused|false|||", 1), ("21199", "refused|false|||", 1), ("77777", "refused|false|||", 1),
            (#"21100,"is-retryable":1"#, "pending||||", 4), (#"21104,"is_retryable":true"#, "pending||||", 4),
            (#"21150,"is-retryable":"1""#, "pending||||", 4), (#"21199,"is_retryable":"true""#, "pending||||", 4),
            (#"21100,"is-retryable":0"#, "refused|false|||", 1),
            (#"21150,"is_retryable":false"#, "refused|false|||", 1),
            (#"21199,"is-retryable":"0""#, "refused|false|||", 1),
        ])
    func `A2: every status code has its disposition`(status: String, verdict: String, calls: Int) async throws {
        try await IntakeWorld.with { world in
            world.desk.on("/verifyReceipt", 200, "{\"status\":\(status)}")
            try await world.handIn("weekly", "receipt", Self.receipt)
            let summary = try await world.intake(app: "weekly")
            #expect(try await world.verdicts() == [verdict])
            #expect(world.desk.requests.count == calls)
            let code = String(status.prefix(5))
            if verdict.hasPrefix("refused") {
                #expect(try await world.reasons().first?.contains("(\(code))") == true)
                #expect(summary.outcome == .done)
            }
            if code == "21004" { #expect(summary.stoppedApps.first?.message.contains("shared_secret_file") == true) }
            #expect(try await world.subscriptions().isEmpty)
        }
    }

    @Test func `A2: a receipt that the store reports as malformed in three runs is refused`() async throws {
        try await IntakeWorld.with { world in
            world.desk.on("/verifyReceipt", 200, #"{"status":21002}"#)
            try await world.handIn("weekly", "receipt", Self.receipt)
            for minutes in [0, 5, 10] as [Int64] {
                #expect(try await world.verdicts() == ["pending||||"])
                try await world.intake(at: IntakeWorld.now + .minutes(minutes), app: "weekly")
            }
            #expect(try await world.verdicts() == ["refused|false|||"])
        }
    }

    @Test func `A2: status 0 is valid even when the subscription has expired; so is 21006`() async throws {
        for status in [0, 21_006] {
            var answer = try Receipts.object(Self.weekly)
            answer["status"] = status
            try await Self.take(answer, at: IntakeWorld.now) { (world, _) async throws in
                #expect(try await world.verdicts() == ["accepted|true|true|true|false"], "\(status)")
            }
        }
    }

    @Test func `A1: a receipt of another app is genuine and not ours`() async throws {
        try await Self.take(try Receipts.object(Self.weekly), app: "example") { (world, _) async throws in
            #expect(try await world.verdicts() == ["refused|true|false||"])
            #expect(try await world.reasons() == ["The receipt is about another app."])
            #expect(try await world.transactions().isEmpty)
        }
    }

    @Test
    func `A1: a receipt's subscriptions all become the account's, and refer to the latest receipt`() async throws {
        var answer = try Receipts.object(Self.weekly)
        var other = try #require((answer["latest_receipt_info"] as? [[String: Any]])?.first)
        for key in ["transaction_id", "original_transaction_id", "web_order_line_item_id"] { other[key] = "77" }
        answer["latest_receipt_info"] = (answer["latest_receipt_info"] as? [[String: Any]] ?? []) + [other]
        try await Self.take(answer) { (world, summary) async throws in
            #expect(summary.tallies[AppID("weekly")]?.new == 1)
            #expect(try await world.subscriptions().map { $0.contains("|alice|") } == [true, true])
            let receipts = try await world.connection.lines(
                """
                select count(distinct s.receipt_id) as receipts, min(r.receipt) as receipt
                from subledger.subscriptions s join subledger.receipts r on r.receipt_id = s.receipt_id
                """)
            #expect(receipts == ["1|MIIUVQY...4rVpL8NlYh2/8l7rk0BcStXjQ=="])
            // The next receipt of the same customer replaces it, and nothing is new in it.
            try await world.handIn("weekly", "receipt", "TUlJVlFa")
            try await world.handIn("weekly", "receipt", "TUlJVlFb", account: "mallory")
            try await world.intake(at: Self.summer + .minutes(5))
            #expect(
                try await world.verdicts().suffix(2) == [
                    "accepted|true|true|false|true", "refused|true|true|false|true",
                ])
            #expect(try await world.connection.lines("select 1 from subledger.receipts").count == 1)
        }
    }
}
