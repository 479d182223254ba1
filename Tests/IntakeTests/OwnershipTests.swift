// SPDX-License-Identifier: Apache-2.0

import Foundation
import Intake
import Model
import Postgres
import Testing
import TestSupport

/// Purchases that are handed in twice, by one account or by two.
@Suite(.hangLimit) struct OwnershipTests {
    @Test func `A1: the same purchase twice registers once; the second is accepted and not new`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            let signed = try Apple.sign(Apple.transaction())
            for _ in 1...2 { try await world.handIn("acme-ios", "signed_transaction", signed) }
            for _ in 1...2 { try await world.handIn("acme-ios", "original_transaction_id", "2001") }
            try await world.intake()
            try await world.handIn("acme-ios", "signed_transaction", signed)
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            try await world.intake(at: IntakeWorld.now + .minutes(5))
            #expect(
                try await world.verdicts() == ["accepted|true|true|true|true"]
                    + (2...6).map { _ in "accepted|true|true|false|true" })
            #expect(try await world.subscriptions().count == 1)
            #expect(try await world.entries().count == 1)
        }
    }

    @Test
    func `A1: a purchase under an unreadable account id is refused, and its neighbours are assessed`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            let signed = try Apple.sign(Apple.transaction())
            for _ in 1...2 { try await world.handIn("acme-ios", "signed_transaction", signed) }
            try await world.connection.script(
                "update subledger.purchase_inbox set account_id = E'a\\x1B[2J' where purchase_id = 1")
            try await world.intake()
            #expect(
                try await world.connection.lines(
                    "select state, genuine, reason from subledger.purchase_inbox order by purchase_id") == [
                        "refused||Its account_id holds control characters or is longer than 1000 bytes.",
                        "accepted|true|",
                    ])
            #expect(try await world.subscriptions().count == 1)
        }
    }

    @Test func `A1: a renewal of a known subscription is a new transaction, until it is booked`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            try await world.intake()
            let later = Apple.april + 2_592_000_000
            let renewal = Apple.transaction([
                "transactionId": "2002", "webOrderLineItemId": "9002", "purchaseDate": Apple.april,
                "expiresDate": later, "signedDate": Apple.april,
            ])
            try world.desk.report(renewal)
            try await world.handIn("acme-ios", "signed_transaction", try Apple.sign(renewal))
            // A restore gives the same period another id.
            let restored = renewal.merging(["transactionId": "2003"]) { $1 }
            try await world.intake(at: Instant(milliseconds: Apple.april) + .hours(1))
            try await world.handIn("acme-ios", "signed_transaction", try Apple.sign(restored))
            try await world.intake(at: Instant(milliseconds: Apple.april) + .hours(2))
            #expect(
                try await world.verdicts().suffix(2) == [
                    "accepted|true|true|true|true", "accepted|true|true|false|true",
                ])
            #expect(try await world.entries().count == 2)
        }
    }

    @Test
    func `A1: a purchase that belongs to another account is refused, reported, and changes nothing`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            try await world.handIn("acme-ios", "original_transaction_id", "2001", account: "alice")
            let second = try await world.handIn("acme-ios", "original_transaction_id", "2001", account: "mallory")
            let first = try await world.intake()
            try await world.handIn(
                "acme-ios", "signed_transaction", try Apple.sign(Apple.transaction()), account: "mallory")
            let later = try await world.intake(at: IntakeWorld.now + .minutes(5))
            #expect(
                try await world.verdicts() == [
                    "accepted|true|true|true|true", "refused|true|true|false|true", "refused|true|true|false|true",
                ])
            #expect(try await world.reasons() == ["", "belongs to another account", "belongs to another account"])
            #expect(first.refused.map(\.purchaseID) == [second])
            #expect(later.refused.map(\.reason) == ["belongs to another account"])
            #expect(try await world.subscriptions().map { $0.prefix(11) } == ["2001|alice|"])
        }
    }

    @Test func `A1: a subscription that was registered without an account becomes that of the purchase`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            _ = try await world.connection.lines("select subledger.register('acme-ios', '2001') as key")
            try await world.handIn("acme-ios", "original_transaction_id", "2001", account: nil)
            try await world.handIn("acme-ios", "original_transaction_id", "2001", account: "alice")
            try await world.handIn("acme-ios", "original_transaction_id", "2001", account: "mallory")
            try await world.intake()
            #expect(
                try await world.verdicts() == [
                    "accepted|true|true|false|true", "accepted|true|true|false|true", "refused|true|true|false|true",
                ])
            #expect(try await world.subscriptions().map { $0.prefix(11) } == ["2001|alice|"])
        }
    }

    @Test
    func `A1: what a backend registers for another account during the asking stays that account's`() async throws {
        try await IntakeWorld.with { world in
            let answer = try Apple.statuses(Apple.transaction())
            try world.desk.report(Apple.transaction())
            let database = world.database
            world.desk.on("/inApps/v1/subscriptions/2001") { _ in
                let done = DispatchSemaphore(value: 0)
                Task {
                    defer { done.signal() }
                    let backend = try await PostgresConnection.connect(database)
                    _ = try await backend.lines("select subledger.register('acme-ios', '2001', 'bob') as key")
                    await backend.close()
                }
                done.wait()
                return .init(200, answer)
            }
            try await world.handIn("acme-ios", "original_transaction_id", "2001", account: "alice")
            try await world.intake()
            #expect(try await world.verdicts() == ["refused|true|true|false|true"])
            #expect(try await world.subscriptions().map { $0.prefix(9) } == ["2001|bob|"])
        }
    }

    @Test func `A1: a registration that got in between our look and our writing is looked at again`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            // The first insert finds its place taken, as it would by a registration that commits that moment.
            try await world.connection.script(
                """
                create sequence subledger.inserts;
                create function subledger.take_the_first_place() returns trigger language plpgsql as $$
                begin
                    return case when nextval('subledger.inserts') > 1 then new end;
                end $$;
                create trigger take_the_first_place before insert on subledger.subscriptions
                for each row execute function subledger.take_the_first_place();
                """)
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            try await world.intake()
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(try await world.entries().count == 1)
            // Our failed insert; then, in another transaction, ours and that of the registration.
            let inserts = try await world.connection.lines("select last_value from subledger.inserts")
            #expect(inserts == ["3"])
        }
    }
}
