// SPDX-License-Identifier: Apache-2.0

import Foundation
import Intake
import Load
import Model
import Postgres
import Runs
import SQLCatalog
import TestSupport
import Testing

/// A night and an intake beside it that write the same rows.
@Suite(.hangLimit) struct BesideLoadTests {
    private static let app = AppID("acme-ios")
    /// The night's clock; the intake's is an hour later.
    private static let began = IntakeWorld.now - .hours(1)

    private static func openNight(
        _ world: IntakeWorld, of app: AppID = app, at now: Instant = began
    ) async throws -> (RunLedger, Run) {
        let ledger = RunLedger(connection: world.connection)
        let night = try await ledger.open(
            .nightly, apps: [app], now: now, businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt))
        return (ledger, night)
    }

    /// What the night loads as its only chunk, of the only subscription there is.
    private static func load(
        _ world: IntakeWorld, _ night: Run, chunk: Int = 1, _ change: (SubscriptionKey, inout ChunkRows) -> Void
    ) async throws {
        let key = try await world.connection.query(
            Statement(name: "key", text: "select subscription_key from subledger.subscriptions")
        ).first.map { SubscriptionKey(try $0.int64("subscription_key")) }
        let number = try #require(key)
        try await world.connection.script(
            """
            insert into subledger.run_chunks (
                run_id, chunk_no, app_id, subscription_keys, is_beside, state, generation, leased_by, leased_until
            )
            values (
                \(night.id), \(chunk), 'acme-ios', '{\(number)}', \(chunk < 0), 'leased', 1, 'test', now() + interval '1 hour'
            )
            """)
        var rows = ChunkRows()
        change(number, &rows)
        _ = try await LoadStage(connection: world.connection).load(
            rows, as: Chunk(runID: night.id, number: chunk, generation: 1, appID: app, now: night.now), counts: [:])
    }

    /// The night's chunk was read before the intake's answer: what it makes of silence is no newer than that.
    @Test func `a check of the night that failed changes nothing that the intake was answered for meanwhile`()
        async throws
    {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            let (_, night) = try await Self.openNight(world)
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            _ = try await world.intake(app: "acme-ios")
            let before = try await world.connection.lines(
                "select state, failures, next_check_at from subledger.subscriptions")
            let history = "select state from subledger.state_changes"
            let known = try await world.connection.lines(history)
            try await Self.load(world, night) { key, rows in
                rows.failures = [
                    FailedCheck(
                        key: key, kind: .notFound, reason: "error_4040010", message: "The id is not known.",
                        failures: 3,
                        nextCheck: NextCheck(at: night.now + .days(7), reason: .unreachable), newState: .unreachable)
                ]
            }
            let after = try await world.connection.lines(
                "select state, failures, next_check_at from subledger.subscriptions")
            #expect(after == before)
            #expect(try await world.connection.lines(history) == known)
        }
    }

    /// Play's answers are dated by the clock of who asks: a night that asks an hour after an intake still has the older one.
    @Test func `what an intake books of Google Play is no newer than the night`() async throws {
        try await IntakeWorld.with { world in
            world.desk.on(Google.v1, 200, try Receipts.text("google_subscription_v1_sandbox"))
            let data = try Receipts.text(Google.sample)
            let began = Google.then - .hours(1)
            _ = try await Self.openNight(world, of: AppID("example-android"), at: began)
            try await world.handIn(
                "example-android", "play_purchase", data, signature: try PlaySigner.shared.get().sign(data))
            try await world.intake(at: Google.then, app: "example-android")
            let dated = try await world.connection.lines(
                """
                select source_version <= '\(began.iso8601)' as is_no_newer, last_checked_at = '\(Google.then.iso8601)' as is_own
                from subledger.subscriptions
                """)
            #expect(dated == ["true|true"])
        }
    }

    /// It is looked at once, whatever the database says of it, and not again before the next intake.
    @Test func `a purchase that the database refuses does not occupy an intake beside a night`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            try await world.connection.script(
                "alter table subledger.transactions add constraint poisoned check (original_transaction_id <> '2001')")
            _ = try await Self.openNight(world)
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            _ = try await world.intake(app: "acme-ios")
            #expect(
                try await world.connection.lines("select state, attempts from subledger.purchase_inbox") == [
                    "pending|1"
                ])
        }
    }

    /// A rule of the owner's, of a kind that names no row, in what is written besides the rows of the answer.
    @Test(arguments: [false, true])
    func `a purchase that the database refuses waits, and its neighbours are accepted`(isBeside: Bool) async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            try await world.connection.script(
                """
                create function public.refuse() returns trigger language plpgsql as $refuse$
                begin
                    if new.account_id = 'poisoned' then raise exception 'a rule of the owner''s'; end if;
                    return new;
                end $refuse$;
                create trigger refuse before insert or update on subledger.subscriptions
                    for each row execute function public.refuse()
                """)
            if isBeside { _ = try await Self.openNight(world) }
            try await world.handIn("acme-ios", "original_transaction_id", "2001", account: "poisoned")
            try await world.handIn("acme-ios", "original_transaction_id", "2001", account: "good")
            _ = try await world.intake(app: "acme-ios")
            #expect(
                try await world.connection.lines(
                    "select account_id, state, attempts from subledger.purchase_inbox order by purchase_id")
                    == ["poisoned|pending|1", "good|accepted|1"])
            #expect(
                try await world.connection.lines("select stage, reason from subledger.dead_letters")
                    == ["intake|P0001"])
        }
    }

    /// Counted when the run's row was waited for, not before.
    @Test func `a seal that waits for an intake counts what it loaded`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            _ = try await world.intake(at: Self.began - .hours(1), app: "acme-ios")
            let (_, night) = try await Self.openNight(world)
            try await world.connection.script("begin")
            try await world.connection.script(
                """
                select from subledger.runs where run_id = \(night.id) for key share;
                update subledger.subscriptions set failures = 1
                """)
            let other = try await PostgresConnection.connect(world.database)
            async let seal = RunLedger(connection: other).seal(night)
            try await Task.sleep(for: .milliseconds(300))
            try await world.connection.script("commit")
            _ = try await seal
            await other.close()
            #expect(
                try await world.connection.lines("select unread from subledger.run_apps where run_id = \(night.id)")
                    == ["1"])
        }
    }

    /// The letter is an earlier night's, and an intake beside this one meets it again: this night still reads the row well.
    @Test func `a letter that an intake met beside a night is closed by the night's good answer`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            _ = try await world.intake(at: Self.began - .days(2), app: "acme-ios")
            let (ledger, first) = try await Self.openNight(world, at: Self.began - .days(1))
            let aside = { (key: SubscriptionKey, rows: inout ChunkRows) in
                rows.setAside = [
                    SetAside(key: key, stage: "transform", reason: "dates_disagree", detail: "a row's dates")
                ]
            }
            try await Self.load(world, first, aside)
            _ = try await ledger.seal(first)
            try await ledger.finish(first, outcome: .partial, counts: [:])
            let (_, night) = try await Self.openNight(world)
            try await Self.load(world, night, chunk: -1, aside)
            let open = "select last_run_id, attempts from subledger.dead_letters where resolved_at is null"
            #expect(try await world.connection.lines(open) == ["\(first.id)|1"])
            try await Self.load(world, night) { key, rows in
                rows.subscriptions = [
                    SubscriptionRow(
                        key: key, environment: .production, snapshot: SubscriptionSnapshot(state: .active),
                        nextCheck: NextCheck(at: night.now + .days(1), reason: .beforeExpiry), historyCursor: "r2",
                        sourceVersion: night.now + .days(1), occurredAt: night.now, answerHash: "h")
                ]
            }
            #expect(try await world.connection.lines(open) == [])
        }
    }
}
