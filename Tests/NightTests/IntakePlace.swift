// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport

/// A place where an intake is caught beside a night that is caught as well: by a lock of its own.
enum IntakePlace: CaseIterable, Sendable {
    /// A store has answered about the first of its purchases.
    case answer
    /// Its purchases are about to be registered.
    case registration
    /// The money of its purchases is written.
    case ledger
    /// The commit of its verdicts has begun and waits.
    case commit

    private static let lock = 4_712
    /// Who waits for it.
    static let waiter =
        "select pid from pg_locks where locktype = 'advisory' and objid = \(lock) and not granted "
        + "and database = (select oid from pg_database where datname = current_database())"

    private var table: String? {
        switch self {
        case .answer: nil
        case .registration: "subscriptions"
        case .ledger: "ledger_entries"
        case .commit: "purchase_inbox"
        }
    }

    private var moment: String {
        switch self {
        case .answer, .registration: "trigger hold_intake before insert on subledger.subscriptions for each row"
        case .ledger: "trigger hold_intake after insert on subledger.ledger_entries for each row"
        case .commit:
            "constraint trigger hold_intake after update on subledger.purchase_inbox deferrable initially deferred "
                + "for each row"
        }
    }

    var hold: String? {
        guard table != nil else { return nil }
        return """
            select pg_advisory_lock(\(Self.lock));
            create or replace function public.hold_intake() returns trigger language plpgsql as $hold$
            begin
                perform pg_advisory_xact_lock_shared(\(Self.lock));
                return new;
            end $hold$;
            create \(moment) execute function public.hold_intake()
            """
    }

    /// The night that is caught as well reads these tables: a trigger may be disabled beside it, and not dropped.
    var release: String? {
        table.map {
            "select pg_advisory_unlock(\(Self.lock)); alter table subledger.\($0) disable trigger hold_intake"
        }
    }
}

extension NightWorld {
    /// Starts an intake and waits until it has come to that place, beside a night that asks nothing meanwhile.
    func startIntake(at now: Instant, upTo place: IntakePlace) async throws -> RunningProgram {
        if let hold = place.hold { try await connection.script(hold) }
        let before = asked
        let intake = try startIntake(at: now)
        while intake.isRunning {
            let isThere =
                try await place == .answer
                ? asked > before : !connection.lines(IntakePlace.waiter).isEmpty
            if isThere { return intake }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw NightError("the intake ended before \(place): \(intake.errorsSoFar.suffix(2_000))")
    }

    /// Kills it there, with the session that it leaves waiting.
    func kill(_ intake: RunningProgram, at place: IntakePlace) async throws {
        Foundation.kill(intake.processID, SIGKILL)
        _ = await intake.result()
        try await connection.script(
            "select pg_terminate_backend(pid, 5000) from (\(IntakePlace.waiter)) waiting")
        if let release = place.release { try await connection.script(release) }
    }

    /// Stands for the minute after which an intake that says nothing more has no purchases any more.
    func letTheIntakesLeaseEnd() async throws {
        try await connection.script(
            "update subledger.run_chunks set leased_until = clock_timestamp() where is_beside and state = 'leased'")
    }

    /// Answers about purchases and subscriptions so far.
    private var asked: Int {
        let unasked: Set = ["token", "notification_history", "voided_purchases"]
        return stores.quotas.counters.requests.filter { !unasked.contains($0.key) }.values.reduce(0, +)
    }
}
