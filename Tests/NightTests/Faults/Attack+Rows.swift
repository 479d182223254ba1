// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import StoreSimulator
import TestSupport
import Testing

/// Attacks by content: the database refuses rows of one subscription, and of no other.
extension Attack {
    /// A character that the encoding lacks, one that JSON lacks, a check, an index entry that is too long, a rule of the owner's.
    private static let refusals = ["22021", "22P05", "23514", "54000", "P0001"]

    /// Its customer is a dead letter, everybody else is booked; the next start after the cause is gone makes it good.
    func poison(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        let (state, table) = (random.of(Self.refusals), random.of(["stage_transactions", "ledger_entries"]))
        let undisturbed = try await undisturbedBooks(life, &random)
        let (session, poisoned) = (try await life.connect(), undisturbed.chosen)
        try await session.script(Self.poisoning(table, poisoned.key, state))
        let first = try await life.run(job)
        expect(first, endedWith: [2])
        let letters = try await session.lines(
            "select distinct stage, reason from subledger.dead_letters where resolved_at is null")
        #expect(letters == ["\(job == .intake ? "intake" : "load")|\(state)"], "\(self)")
        #expect(try await session.lines(affected) == [poisoned.account], "\(self)")
        let own = try await session.lines(Self.written(of: poisoned.key))
        #expect(own == ["0"], "\(self)")
        let others = try await session.lines(Self.books(without: poisoned.account))
        #expect(others == undisturbed.others, "\(self): others' money")
        try await session.script("drop trigger poison on subledger.\(table); drop function public.poison()")
        let again = try await runLater(life)
        expect(again, endedWith: [0])
        let open = try await session.lines("select reason from subledger.dead_letters where resolved_at is null")
        #expect(open == [], "\(self)")
        #expect(try await session.lines(Self.books()) == undisturbed.afterwards, "\(self): money afterwards")
    }

    /// What both starts come to where nothing is refused, and a subscription of which the first one books something.
    private func undisturbedBooks(
        _ life: AttackedLife, _ random: inout FaultSeed
    ) async throws -> UndisturbedBooks {
        var (chosen, others, afterwards): ((key: String, account: String)?, [String], [String]) = (nil, [], [])
        let number = random.number(0...1_000)
        try await life.life.attack { copy in
            expect(try await copy.run(job), endedWith: [0])
            let session = try await copy.connect()
            let booked = try await session.lines(Self.booked).map { $0.split(separator: "|").map(String.init) }
            guard !booked.isEmpty else { throw NightError("\(job) books nothing of acme-ios") }
            let choice = booked[number % booked.count]
            chosen = (choice[0], choice[1])
            others = try await session.lines(Self.books(without: choice[1]))
            expect(try await runLater(copy), endedWith: [0])
            afterwards = try await session.lines(Self.books())
        }
        life.life.stores.setClock(NightWorld.instant(of: FaultLife.attackedNight).micros)
        guard let chosen else { throw NightError("\(job) was not played") }
        return UndisturbedBooks(chosen: chosen, others: others, afterwards: afterwards)
    }

    /// The start that schedules make next: of a night on the next day, of an intake an hour later.
    private func runLater(_ life: AttackedLife) async throws -> CommandLineRun.Result {
        let now = NightWorld.instant(of: FaultLife.attackedNight)
        if job == .intake { return try await life.run(["intake", "--now", (now + .hours(1)).iso8601]) }
        life.life.stores.setClock((now + .days(1)).micros)
        return try await life.run(["nightly", "--once", "--now", (now + .days(1)).iso8601])
    }

    /// Whose dead letters or waiting purchases there are.
    ///
    /// One customer's subscriptions are in one history.
    private var affected: String {
        job == .intake
            ? "select distinct account_id from subledger.purchase_inbox where state = 'pending'"
            : """
            select distinct account_id from subledger.dead_letters
            join subledger.subscriptions using (subscription_key) where resolved_at is null
            """
    }

    private static let booked = """
        select distinct subscription_key, account_id from subledger.ledger_entries
        join subledger.subscriptions using (subscription_key)
        where run_id = (select max(run_id) from subledger.runs) and app_id = 'acme-ios' and account_id is not null
        order by subscription_key
        """

    /// What the last run booked of a subscription.
    private static func written(of key: String) -> String {
        """
        select count(*) from subledger.ledger_entries
        where subscription_key = \(key) and run_id = (select max(run_id) from subledger.runs)
        """
    }

    /// All money, or that of the subscriptions of all customers but one.
    private static func books(without account: String? = nil) -> String {
        """
        select subscription_key, transaction_id, entry.product_id, seq, kind, amount_micros, currency, occurred_at
        from subledger.ledger_entries entry
        left join subledger.subscriptions owner using (subscription_key)
        where \(account.map { "owner.account_id <> '\($0)'" } ?? "true")
        order by 1, 2, 3, 4
        """
    }

    private static func poisoning(_ table: String, _ key: String, _ state: String) -> String {
        """
        create function public.poison() returns trigger language plpgsql as $poison$
        begin
            if new.subscription_key = \(key) then raise exception 'poisoned' using errcode = '\(state)'; end if;
            return new;
        end $poison$;
        create trigger poison before insert on subledger.\(table) for each row execute function public.poison()
        """
    }
}

/// Money where nothing is refused.
private struct UndisturbedBooks {
    let chosen: (key: String, account: String)
    /// Of all customers but the chosen one, after the first start.
    let others: [String]
    /// Of all, after the second.
    let afterwards: [String]
}
