// SPDX-License-Identifier: Apache-2.0

import Foundation
import Intake
import Model
import Runs
import Testing
import TestSupport

/// What becomes of purchases of an app that is read through the App Store Server API.
@Suite(.hangLimit) struct VerdictTests {
    @Test
    func `A1: an id is asked about and, genuine, ours, new and current, registered and booked as such`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            try await world.handIn("acme-ios", "original_transaction_id", " 2001\n")
            let summary = try await world.intake()
            #expect(summary.outcome == .done)
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(
                try await world.subscriptions() == ["2001|alice|gold.month|production|active|2026-04-01 00:00:00"])
            #expect(try await world.transactions() == ["2001|gold.month|production|purchase|9990000|EUR"])
            #expect(try await world.entries() == ["2001|charge|9990000|EUR"])
            let rows = try await world.connection.lines(
                """
                select p.subscription_key = subledger.subscription_key('acme-ios', '2001') as key, p.checked_at,
                    p.attempts, r.job, r.outcome, r.seal, r.counts ->> 'accepted' as accepted, c.state as chunk,
                    s.next_check_at
                from subledger.purchase_inbox p
                join subledger.runs r on r.run_id = p.last_run_id
                join subledger.run_chunks c on c.run_id = r.run_id
                join subledger.subscriptions s on s.subscription_key = p.subscription_key
                """)
            #expect(
                rows == [
                    "true|2026-03-10T12:00:00+00:00|1|intake|done|1|1|done|2026-03-31T00:00:00+00:00"
                ])
        }
    }

    @Test func `A1: a signed transaction is verified and registered under its original transaction id`() async throws {
        try await IntakeWorld.with { world in
            let renewal = Apple.transaction([
                "transactionId": "2002", "webOrderLineItemId": "9002", "transactionReason": "RENEWAL",
            ])
            try world.desk.report(renewal)
            try await world.handIn("acme-ios", "signed_transaction", try Apple.sign(renewal))
            try await world.intake()
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(try await world.subscriptions().map { $0.prefix(5) } == ["2001|"])
            let stored = try await world.connection.lines(
                "select product_id, transaction_id from subledger.purchase_inbox")
            #expect(stored == ["gold.month|2002"])
        }
    }

    @Test
    func `A1: a transaction that the App Store did not sign is not genuine, and is not asked about`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            let signed = try Apple.sign(Apple.transaction())
            let other = try Apple.sign(Apple.transaction(["productId": "platinum.year"]))
            let (mine, theirs) = (signed.split(separator: "."), other.split(separator: "."))
            let forgeries = [
                "\(mine[0]).\(theirs[1]).\(mine[2])", try Apple.forge(Apple.transaction()), "no.token", "", "a.b.c",
                "\(mine[0]).\(mine[1]).", try Apple.sign(Apple.transaction(["environment": "Xcode"])),
            ]
            for forgery in forgeries { try await world.handIn("acme-ios", "signed_transaction", forgery) }
            #expect(try await world.intake().outcome == .done)
            #expect(try await world.verdicts() == forgeries.map { _ in "refused|false|||" })
            #expect(world.desk.requests.isEmpty)
            #expect(try await world.subscriptions().isEmpty)
        }
    }

    @Test func `A1: a transaction of another app is genuine and not ours`() async throws {
        try await IntakeWorld.with { world in
            let foreign = Apple.transaction(["bundleId": "com.other.app"])
            try await world.handIn("acme-ios", "signed_transaction", try Apple.sign(foreign))
            try await world.intake()
            #expect(try await world.verdicts() == ["refused|true|false||"])
            #expect(try await world.reasons() == ["The App Store signed it for another app."])
        }
    }

    @Test func `A1: an id that neither environment knows, or that is none, is not genuine`() async throws {
        try await IntakeWorld.with { world in
            try await world.handIn("acme-ios", "original_transaction_id", "404404")
            try await world.handIn("acme-ios", "original_transaction_id", "2001/../9")
            try await world.intake()
            #expect(try await world.verdicts() == ["refused|false|||", "refused|false|||"])
            #expect(
                world.desk.requests.map(\.path) == [
                    "/inApps/v1/subscriptions/404404", "/sandbox/inApps/v1/subscriptions/404404",
                    "/inApps/v1/transactions/404404", "/sandbox/inApps/v1/transactions/404404",
                ])
            #expect(try await world.subscriptions().isEmpty)
        }
    }

    @Test func `A1: what has expired is accepted as true history, and not current`() async throws {
        try await IntakeWorld.with { world in
            let ended = Apple.transaction([
                "purchaseDate": Apple.march - 2_678_400_000, "expiresDate": Apple.march,
            ])
            try world.desk.report(ended, status: 2)
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            try await world.intake()
            #expect(try await world.verdicts() == ["accepted|true|true|true|false"])
            #expect(
                try await world.subscriptions() == ["2001|alice|gold.month|production|expired|2026-03-01 00:00:00"])
        }
    }

    @Test func `A1: current is decided by the run's clock, not by when the store was asked`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            try await world.intake(at: Instant(milliseconds: Apple.april) + .hours(1))
            #expect(try await world.verdicts() == ["accepted|true|true|true|false"])
        }
    }

    @Test
    func `A1: a genuine transaction the API does not know yet is accepted, and asked about next night`() async throws {
        try await IntakeWorld.with { world in
            try await world.handIn("acme-ios", "signed_transaction", try Apple.sign(Apple.transaction()))
            try await world.intake()
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            let due = try await world.connection.lines(
                "select store_key, state, next_check_at, failures from subledger.subscriptions")
            #expect(due == ["2001|unverified|2026-03-11T06:00:00+00:00|1"])
        }
    }

    @Test func `A1: the id of a later transaction registers the subscription under its original one`() async throws {
        try await IntakeWorld.with { world in
            for id in ["2001", "2002"] {
                try world.desk.report(Apple.transaction(["transactionId": "2002"]), askedWith: id)
            }
            try await world.handIn("acme-ios", "original_transaction_id", "2002")
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            try await world.intake()
            #expect(try await world.verdicts() == ["accepted|true|true|true|true", "accepted|true|true|false|true"])
            #expect(try await world.entries() == ["2002|charge|9990000|EUR"])
            #expect(
                try await world.subscriptions() == ["2001|alice|gold.month|production|active|2026-04-01 00:00:00"])
        }
    }

    @Test
    func `A1: a one-time product's signed transaction is a one-time sale, and nothing is followed`() async throws {
        try await IntakeWorld.with { world in
            let sale = Apple.transaction([
                "type": "Non-Consumable", "productId": "lifetime", "expiresDate": nil, "webOrderLineItemId": nil,
                "subscriptionGroupIdentifier": nil,
            ])
            try await world.handIn("acme-ios", "signed_transaction", try Apple.sign(sale))
            try await world.handIn("acme-ios", "signed_transaction", try Apple.sign(sale), account: "mallory")
            try await world.intake()
            #expect(try await world.verdicts() == ["accepted|true|true|true|true", "refused|true|true|false|true"])
            #expect(try await world.transactions() == ["2001|lifetime|production|one_time|9990000|EUR"])
            #expect(try await world.subscriptions().isEmpty)
            #expect(world.desk.requests.isEmpty)
        }
    }

    @Test
    func `A1: a purchase in a form this store does not take is refused with what to hand in instead`() async throws {
        try await IntakeWorld.with { world in
            try await world.handIn("acme-ios", "receipt", "TUlJ")
            try await world.handIn("acme-ios", "play_token", "token")
            try await world.handIn("weekly", "signed_transaction", "a.b.c")
            try await world.handIn("weekly", "original_transaction_id", "2001")
            try await world.handIn("acme-android", "receipt", "TUlJ")
            try await world.intake()
            #expect(try await world.verdicts() == (1...5).map { _ in "refused||||" })
            let reasons = try await world.reasons()
            #expect(reasons[0].contains("hand in the signed transaction"))
            #expect(reasons[1].contains("is not of this app's store"))
            #expect(reasons[2].contains("hand in the receipt") && reasons[3].contains("hand in the receipt"))
            #expect(reasons[4].contains("is not of this app's store"))
        }
    }
}
