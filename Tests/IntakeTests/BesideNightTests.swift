// SPDX-License-Identifier: Apache-2.0

import Foundation
import Intake
import Model
import Postgres
import Runs
import SQLCatalog
import Synchronization
import TestSupport
import Testing

/// An intake beside an open night: its purchases are booked under the night's run, by the intake's own clock, and count for nothing of it.
@Suite(.hangLimit) struct BesideNightTests {
    private static let app = AppID("acme-ios")
    private static let elsewhere = Leader(host: "elsewhere.example", processID: 4_711)
    /// The night began an hour before the intake.
    private static let began = IntakeWorld.now - .hours(1)

    /// A night of the app on another host, whose leader lives.
    private static func openNight(_ world: IntakeWorld, at now: Instant = began) async throws -> (RunLedger, Run) {
        let ledger = RunLedger(connection: world.connection, leader: elsewhere)
        let night = try await ledger.open(
            .nightly, apps: [app], now: now, businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt))
        return (ledger, night)
    }

    private static func runs(_ world: IntakeWorld) async throws -> [String] {
        try await world.connection.lines("select job, outcome, seal from subledger.runs order by run_id")
    }

    @Test(arguments: [true, false])
    func `a purchase is booked under the night's run, by the intake's clock, whether the leader lives or not`(
        lives: Bool
    ) async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            let (ledger, night) = try await Self.openNight(world)
            if !lives { await ledger.leave(night, because: PipelineError(.failed, "it died")) }
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            #expect(try await world.intake(app: "acme-ios").outcome == .done)
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(try await Self.runs(world) == ["nightly|running|"])
            let rows = try await world.connection.lines(
                """
                select v.run_id, v.recorded_at = '2026-03-10 12:00Z' as by_own_clock,
                    s.last_checked_at = '2026-03-10 12:00Z' as checked, s.next_check_at > '2026-03-20' as is_next_later
                from subledger.transaction_versions v join subledger.subscriptions s using (subscription_key)
                """)
            #expect(rows == ["\(night.id)|true|true|true"])
            #expect(
                try await world.connection.lines(
                    "select leased_until is not null as is_leased, leader_generation from subledger.runs")
                    == ["\(lives)|1"])
        }
    }

    @Test func `it counts for nothing of the night: not as checked, failed, unanswered or set aside`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            world.desk.on("/inApps/v1/subscriptions/5005", 200, "[]")
            world.desk.on("/inApps/v1/subscriptions/6006", 503, "")
            let (ledger, night) = try await Self.openNight(world)
            for id in ["5005", "2001", "6006"] { try await world.handIn("acme-ios", "original_transaction_id", id) }
            let summary = try await world.intake(app: "acme-ios")
            #expect(summary.outcome == .partial, "its own dead letter is its own exit 2")
            let figures = try await ledger.figures(of: night)
            #expect(
                ["due", "checked", "unread", "changed", "discovered", "dead_letters"].allSatisfy { figures[$0] == 0 },
                "\(figures)")
            for statement in [
                SQL.Pipeline.listAnsweredApps, SQL.Pipeline.listUnansweredApps, SQL.Pipeline.listFailedChecks,
                SQL.Pipeline.listOpenApps,
            ] {
                #expect(try await world.connection.query(statement, [.int(night.id)]).isEmpty)
            }
            // Met again by the next intake beside the same night, the letter is no new one.
            #expect(try await world.intake(at: IntakeWorld.now + .minutes(1), app: "acme-ios").outcome != .partial)
            let letters = try await world.connection.lines(
                "select reason, attempts, first_run_id, is_beside from subledger.dead_letters")
            #expect(letters == ["malformed_json|2|\(night.id)|true"])
            _ = try await ledger.seal(night)
            #expect(try await world.connection.lines("select due from subledger.run_apps") == [""])
        }
    }

    @Test func `what it books is no renewal, end or refund of the night, whose own are counted`() async throws {
        try await IntakeWorld.with { world in
            let (february, refunded) = (Apple.march - 28 * 86_400_000, Apple.signed - 86_400_000)
            let first = Apple.transaction(["purchaseDate": february, "expiresDate": Apple.march])
            let renewal = Apple.transaction([
                "transactionId": "2002", "webOrderLineItemId": "9002", "originalPurchaseDate": february,
                "transactionReason": "RENEWAL", "revocationDate": refunded, "revocationReason": 0,
            ])
            world.desk.on("/inApps/v1/subscriptions/2001", 200, try Apple.statuses(renewal, status: 5))
            world.desk.on("/inApps/v2/history/2001", 200, try Apple.history([first, renewal]))
            let (ledger, night) = try await Self.openNight(world)
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            try await world.intake(app: "acme-ios")
            let booked = try await world.connection.lines(
                """
                select (select count(*) from subledger.transactions where kind = 'renewal') as renewed,
                    (select count(*) from subledger.state_changes where state in ('expired', 'revoked')) as ended,
                    (select count(*) from subledger.ledger_entries where kind = 'refund') as refunded
                """)
            #expect(booked == ["1|1|1"])
            let beside = try await ledger.figures(of: night)
            #expect(["renewed", "ended", "refunded"].map { beside[$0] } == [0, 0, 0], "\(beside)")
            // Dated by the night's clock, the same rows are the night's.
            try await Self.date(world, at: Self.began)
            let own = try await ledger.figures(of: night)
            #expect(["renewed", "ended", "refunded"].map { own[$0] } == [1, 1, 1], "\(own)")
        }
    }

    /// What is booked is dated otherwise, as if a worker of the night had booked it.
    private static func date(_ world: IntakeWorld, at now: Instant) async throws {
        for table in ["transaction_versions", "state_changes", "ledger_entries"] {
            try await world.connection.script(
                """
                alter table subledger.\(table) disable trigger user;
                update subledger.\(table) set recorded_at = '\(now.iso8601)';
                alter table subledger.\(table) enable trigger user
                """)
        }
    }

    @Test func `once the night is sealed its load is refused, and it opens a run of its own`() async throws {
        try await IntakeWorld.with { world in
            let isAsked = Mutex(false)
            let isSealed = Mutex(false)
            let statuses = try Apple.statuses(Apple.transaction())
            try world.desk.report(Apple.transaction())
            world.desk.on("/inApps/v1/subscriptions/2001") { _ in
                isAsked.withLock { $0 = true }
                while !isSealed.withLock({ $0 }) { usleep(1_000) }
                return .init(200, statuses)
            }
            let (ledger, night) = try await Self.openNight(world)
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            async let outcome = world.intake(app: "acme-ios").outcome
            while !isAsked.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(2)) }
            // It does not wait for the intake, which is still asking.
            #expect(try await ledger.seal(night) == 1)
            isSealed.withLock { $0 = true }
            #expect(try await outcome == .done)
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            // The night still writes its reports.
            #expect(try await Self.runs(world) == ["nightly|running|1", "intake|done|2"])
            let booked = try await world.connection.lines("select distinct run_id from subledger.transaction_versions")
            #expect(booked != ["\(night.id)"] && booked.count == 1)
            try await ledger.finish(night, outcome: .done, counts: [:])
            #expect(
                try await world.connection.lines("select 1 from subledger.run_chunks where state = 'leased'").isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `a sealed night that writes its reports shuts no intake out, and refuses other jobs`(
        lives: Bool
    ) async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            let (ledger, night) = try await Self.openNight(world)
            _ = try await ledger.seal(night)
            if !lives { await ledger.leave(night, because: PipelineError(.failed, "it died")) }
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            #expect(try await world.intake(app: "acme-ios").outcome == .done)
            #expect(try await Self.runs(world) == ["nightly|running|1", "intake|done|2"])
            guard lives else { return }
            let refusal = await #expect(throws: PipelineError.self) {
                try await Self.openNight(world, at: IntakeWorld.now + .hours(1))
            }
            #expect(refusal?.message.hasPrefix("a nightly run of acme-ios is open: ") == true)
        }
    }

    @Test func `no worker takes its chunk, and a new leader does not free it`() async throws {
        try await IntakeWorld.with { world in
            let (ledger, night) = try await Self.openNight(world)
            let request = RunRequest(
                .intake, apps: [Self.app], now: IntakeWorld.now,
                businessDate: BusinessDate(lastCompleteDayBefore: IntakeWorld.now, in: .gmt))
            let log = RecordedLog()
            let claimed = try #require(try await ledger.claim(beside: night.id, request, logger: log.logger))
            await ledger.leave(night, because: PipelineError(.failed, "it died"))
            let (_, resumed) = try await Self.openNight(world)
            #expect(resumed.id == night.id && resumed.isResumed)
            let apps = PostgresValue.textArray(["acme-ios"])
            let claims = try await world.connection.query(
                SQL.Pipeline.claimChunk, [.int(night.id), apps, .text("worker"), .int(60), .null])
            #expect(claims.isEmpty)
            try await world.connection.script("update subledger.run_chunks set leased_until = now() - interval '1 s'")
            let overdue = try await world.connection.query(
                SQL.Pipeline.claimChunk, [.int(night.id), apps, .text("worker"), .int(60), .null])
            #expect(overdue.isEmpty, "nor when its lease is over")
            #expect(
                try await world.connection.lines("select chunk_no, state, generation from subledger.run_chunks")
                    == ["\(claimed.number)|leased|1"])
        }
    }

    @Test func `of two intakes beside a night one waits, and has the purchases when the other's lease is over`()
        async throws
    {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            let (ledger, night) = try await Self.openNight(world)
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            let request = RunRequest(
                .intake, apps: [Self.app], now: IntakeWorld.now,
                businessDate: BusinessDate(lastCompleteDayBefore: IntakeWorld.now, in: .gmt))
            let dead = try #require(try await ledger.claim(beside: night.id, request, logger: RecordedLog().logger))
            let refusal = await #expect(throws: PipelineError.self) { try await world.intake(app: "acme-ios") }
            #expect(refusal?.kind == .alreadyRunning)
            #expect(refusal?.message.contains("process 4711 on elsewhere.example") == true)
            try await world.connection.script("update subledger.run_chunks set leased_until = now() - interval '1 s'")
            #expect(try await world.intake(app: "acme-ios").outcome == .done)
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            // Whoever wakes up late has nothing any more.
            #expect(try await ledger.giveUp(dead) == false)
        }
    }

    /// Wherever the seal falls, what carries the night's run was there when it was sealed.
    @Test func `sealing and loading at once, nothing is booked under a night that is sealed`() async throws {
        try await IntakeWorld.with { world in
            for number in 0..<12 {
                let id = "\(3_000 + number)"
                let now = IntakeWorld.now + .minutes(Int64(number))
                try world.desk.report(
                    Apple.transaction(["originalTransactionId": id, "transactionId": id, "webOrderLineItemId": id]),
                    askedWith: id)
                let (ledger, night) = try await Self.openNight(world, at: now)
                try await world.handIn("acme-ios", "original_transaction_id", id)
                async let outcome = world.intake(at: now, app: "acme-ios").outcome
                try await Task.sleep(for: .milliseconds(5 * number))
                _ = try await ledger.seal(night)
                let written = "select count(*) from subledger.transaction_versions where run_id = \(night.id)"
                let then = try await world.connection.lines(written)
                #expect(try await outcome == .done)
                #expect(try await world.connection.lines(written) == then)
                try await ledger.finish(night, outcome: .done, counts: [:])
            }
            #expect(try await world.verdicts() == Array(repeating: "accepted|true|true|true|true", count: 12))
            #expect(try await world.entries().count == 12)
        }
    }

    /// Beside the night of one app, another app has a run of its own.
    @Test func `an intake of two apps works beside the night of one and alone on the other`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            world.desk.on("/verifyReceipt", 200, try Receipts.text("verify_receipt_production_weekly"))
            _ = try await Self.openNight(world)
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            try await world.handIn("weekly", "receipt", "TUlJVlFZ")
            #expect(try await world.intake().outcome == .done)
            #expect(
                try await world.connection.lines("select state from subledger.purchase_inbox order by purchase_id")
                    == ["accepted", "accepted"])
            #expect(try await Self.runs(world) == ["nightly|running|", "intake|done|1"])
        }
    }
}
