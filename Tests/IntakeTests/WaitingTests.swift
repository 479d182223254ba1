// SPDX-License-Identifier: Apache-2.0

import Foundation
import Intake
import Model
import Postgres
import Runs
import Testing
import TestSupport

/// Purchases that cannot be assessed now, and neighbours that can.
@Suite(.hangLimit) struct WaitingTests {
    @Test func `A1: what cannot be assessed now waits, and a later run assesses it`() async throws {
        try await IntakeWorld.with { world in
            world.desk.on("/inApps/", 503, "")
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            let first = try await world.intake(app: "acme-ios")
            #expect(first.outcome == .failed)
            #expect(first.tallies[AppID("acme-ios")]?.waiting == 1)
            #expect(try await world.verdicts() == ["pending||||"])
            #expect(try await world.reasons().first?.contains("failed (http_503)") == true)
            #expect(try await world.subscriptions().isEmpty)
            try world.desk.report(Apple.transaction())
            #expect(try await world.intake(at: IntakeWorld.now + .minutes(5), app: "acme-ios").outcome == .done)
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(try await world.reasons() == [""])
        }
    }

    @Test
    func `A1: a store that stops the app leaves its purchases pending and untouched; other apps finish`() async throws {
        try await IntakeWorld.with { world in
            world.desk.on("/inApps/", 401, "")
            world.desk.on("/verifyReceipt", 200, try Receipts.text("verify_receipt_production_weekly"))
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            try await world.handIn("weekly", "receipt", "TUlJVlFZ")
            let summary = try await world.intake()
            #expect(summary.outcome == .partial)
            #expect(summary.stoppedApps.map(\.app) == [AppID("acme-ios")])
            #expect(summary.stoppedApps.first?.message.contains("(401)") == true)
            let rows = try await world.connection.lines(
                "select app_id, state, attempts from subledger.purchase_inbox order by purchase_id")
            #expect(rows == ["acme-ios|pending|0", "weekly|accepted|1"])
            let apps = try await world.connection.lines(
                "select app_id, state from subledger.run_apps where state = 'stopped'")
            #expect(apps == ["acme-ios|stopped"])
        }
    }

    /// A check, an index entry that is too long, a rule of the owner's: of whatever kind, its neighbours are booked.
    @Test(arguments: ["23514", "54000", "P0001"])
    func `a purchase whose rows the database refuses waits as a dead letter, and is booked when it may be`(
        state: String
    ) async throws {
        try await IntakeWorld.with { world in
            try await Self.handInTwo(world)
            try await world.connection.script(Self.refusing("3001", state))
            #expect(try await world.intake(app: "acme-ios").outcome == .partial)
            #expect(try await world.verdicts() == ["accepted|true|true|true|true", "pending||||"])
            #expect(try await world.entries() == ["2001|charge|9990000|EUR"])
            let letters = "select stage, reason, resolved_at is null as is_open from subledger.dead_letters"
            #expect(try await world.connection.lines(letters) == ["intake|\(state)|true"])
            try await world.connection.script("drop trigger refuse on subledger.stage_transactions")
            #expect(try await world.intake(at: IntakeWorld.now + .minutes(5), app: "acme-ios").outcome == .done)
            #expect(try await world.entries() == ["2001|charge|9990000|EUR", "3001|charge|9990000|EUR"])
            #expect(try await world.connection.lines(letters) == ["intake|\(state)|false"])
        }
    }

    /// What fails with each purchase is no purchase's fault.
    @Test func `what the database refuses of every purchase in a way that names no row ends the intake`() async throws {
        try await IntakeWorld.with { world in
            try await Self.handInTwo(world)
            try await world.connection.script(Self.refusing("%", "P0001"))
            await #expect(throws: PostgresError.self) { try await world.intake(app: "acme-ios") }
            #expect(try await world.verdicts() == ["pending||||", "pending||||"])
            #expect(try await world.connection.lines("select 1 from subledger.dead_letters") == [])
        }
    }

    private static func handInTwo(_ world: IntakeWorld) async throws {
        for id in ["2001", "3001"] {
            let row = Apple.transaction([
                "transactionId": id, "originalTransactionId": id, "webOrderLineItemId": "9\(id)",
            ])
            try world.desk.report(row, askedWith: id)
            try await world.handIn("acme-ios", "original_transaction_id", id)
        }
    }

    private static func refusing(_ id: String, _ state: String) -> String {
        """
        create function public.refuse() returns trigger language plpgsql as $refuse$
        begin
            if new.transaction_id like '\(id)' then raise exception 'refused' using errcode = '\(state)'; end if;
            return new;
        end $refuse$;
        create trigger refuse before insert on subledger.stage_transactions
            for each row execute function public.refuse()
        """
    }

    @Test func `A1: waiting purchases come after new ones; an unreadable one is a dead letter until resolved`()
        async throws
    {
        try await IntakeWorld.with { world in
            world.desk.on("/inApps/v1/subscriptions/5005", 200, "[]")
            try world.desk.report(Apple.transaction())
            try await world.handIn("acme-ios", "original_transaction_id", "5005")
            let first = try await world.intake(app: "acme-ios")
            #expect(first.outcome == .partial, "an answer that nobody can read is for a person")
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            let second = try await world.intake(at: IntakeWorld.now + .minutes(5), app: "acme-ios", roundSize: 1)
            #expect(second.outcome == .done, "the dead letter is known")
            let asked = world.desk.requests.map(\.path)
            let (new, old) = (asked.lastIndex { $0.hasSuffix("/2001") }, asked.lastIndex { $0.hasSuffix("/5005") })
            #expect(try #require(new) < (try #require(old)))
            let letters = try await world.connection.lines(
                "select stage, reason, attempts, resolved_at from subledger.dead_letters")
            #expect(letters == ["intake|malformed_json|2|"])
            try world.desk.report(Apple.transaction(["originalTransactionId": "5005"]), askedWith: "5005")
            try await world.intake(at: IntakeWorld.now + .minutes(10), app: "acme-ios")
            #expect(
                try await world.connection.lines("select 1 from subledger.dead_letters where resolved_at is null")
                    .isEmpty)
        }
    }

    @Test
    func `A1: rows the database refuses leave their purchase pending and their neighbours unharmed`() async throws {
        try await IntakeWorld.with { world in
            // A rule of the owner's own: whatever we know to be wrong is set aside long before.
            try await world.connection.script(
                "alter table subledger.transactions add constraint not_this_one check (transaction_id <> '3001')")
            try world.desk.report(
                Apple.transaction(["originalTransactionId": "3001", "transactionId": "3001"]), askedWith: "3001")
            try world.desk.report(Apple.transaction())
            try await world.handIn("acme-ios", "original_transaction_id", "3001")
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            let summary = try await world.intake(app: "acme-ios")
            #expect(summary.outcome == .partial)
            #expect(try await world.verdicts() == ["pending||||", "accepted|true|true|true|true"])
            #expect(try await world.subscriptions().map { $0.prefix(5) } == ["2001|"])
            let letters = try await world.connection.lines("select stage, reason from subledger.dead_letters")
            #expect(letters == ["intake|23514"])
        }
    }

    @Test func `A1: no reason, dead letter or summary contains a token, a receipt or a signed row`() async throws {
        try await IntakeWorld.with { world in
            world.desk.on("/androidpublisher", 500, "canary-body")
            world.desk.on("/verifyReceipt", 200, #"{"status":21003,"canary-body":1}"#)
            let signed = try Apple.sign(Apple.transaction(["bundleId": "canary-bundle"]))
            let payloads = [
                ("acme-ios", "signed_transaction", signed), ("acme-ios", "signed_transaction", "canary.canary.canary"),
                ("weekly", "receipt", "Y2FuYXJ5"), ("weekly", "receipt", "canary!"),
                ("acme-android", "play_token", "canary-token"), ("acme-android", "play_purchase", #"{"canary":1}"#),
            ]
            for (app, kind, payload) in payloads { try await world.handIn(app, kind, payload, signature: "canary==") }
            let summary = try await world.intake()
            let stated = try await world.connection.lines(
                """
                select reason from subledger.purchase_inbox
                union all select detail from subledger.dead_letters
                union all select coalesce(reason, '') from subledger.run_apps
                union all select body from subledger.store_answers
                """)
            let said = summary.refused.map(\.reason) + summary.stoppedApps.map(\.message)
            let all = (stated + said).joined(separator: "\n")
            #expect(!all.contains("canary"))
            for (_, _, payload) in payloads { #expect(!all.contains(payload.prefix(12))) }
            #expect(try await world.reasons().count { $0.count > 20 } == payloads.count)
        }
    }

    @Test func `A1: an intake leaves an open run of its app alone, and takes up the work of a dead one`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            let elsewhere = Leader(host: "elsewhere.example", processID: 4_711)
            let date = BusinessDate(lastCompleteDayBefore: IntakeWorld.now, in: .gmt)
            _ = try await RunLedger(connection: world.connection, leader: elsewhere).open(
                .intake, apps: [AppID("acme-ios")], now: IntakeWorld.now, businessDate: date)
            let refusal = await #expect(throws: PipelineError.self) { try await world.intake(app: "acme-ios") }
            #expect(refusal?.kind == .alreadyRunning)
            try await world.connection.script("update subledger.runs set leased_until = now() - interval '1 second'")
            #expect(try await world.intake(app: "acme-ios").outcome == .done)
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(try await world.connection.lines("select job, outcome from subledger.runs") == ["intake|done"])
        }
    }

    @Test
    func `A1: killed while it writes, an intake leaves nothing half done; the next one does it all`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            // The last statement of the transaction ends the connection.
            try await world.connection.script(
                """
                create function subledger.die() returns trigger language plpgsql as $$
                begin
                    perform pg_terminate_backend(pg_backend_pid());
                    return new;
                end $$;
                create trigger die before update on subledger.purchase_inbox
                for each row execute function subledger.die();
                """)
            await #expect(throws: (any Error).self) { try await world.intake(app: "acme-ios") }
            for table in ["subscriptions", "transactions", "ledger_entries", "run_chunks", "stage_transactions"] {
                #expect(try await world.connection.lines("select 1 from subledger.\(table)").isEmpty, "\(table)")
            }
            #expect(try await world.verdicts() == ["pending||||"])
            try await world.connection.script(
                "drop trigger die on subledger.purchase_inbox; "
                    + "update subledger.runs set leased_until = now() - interval '1 second'")
            try await world.intake(app: "acme-ios")
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(try await world.entries().count == 1)
        }
    }
}
