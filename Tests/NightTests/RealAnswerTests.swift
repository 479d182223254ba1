// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// Two answers that the real store once gave go through a night; every expected value is worked out from them by hand.
///
/// Each goes as it was, and told in other ways: what the rows say must not depend on order, date form or unknown
/// fields.
@Suite(.hangLimit) struct RealAnswerTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "AppStoreTests/Fixtures")

    /// A night at that instant of an installation that holds one bare receipt, answered by the fixture.
    private static func night(
        of fixture: String, told telling: Telling, in environment: StoreEnvironment, bundleID: String, at now: String,
        _ body: (NightWorld) async throws -> Void
    ) async throws {
        try await NightWorld.with(
            seed: 1, customersPerApp: 0, apps: [.receipt(id: "example", bundleID: bundleID)]
        ) { world in
            let answer = try Data(contentsOf: fixtures.appending(path: fixture))
            world.stores.record(receipt: "TUlJVlFZ", answer: try telling.bytes(of: answer), in: environment)
            let file = world.directory + "/receipt.jsonl"
            try "{\"app_id\":\"example\",\"receipt\":\"TUlJVlFZ\",\"account_id\":\"alice\"}\n"
                .write(toFile: file, atomically: true, encoding: .utf8)
            let imported = try await world.subledger("import", "subscriptions", file, "--now", now)
            #expect(imported.exitCode == 0, "\(imported.standardError)")
            let night = try await world.subledger("nightly", "--now", now, "--no-reports")
            #expect(night.exitCode == 0, "\(night.standardError)")
            try await body(world)
        }
    }

    private static let transactions = """
        select transaction_id, kind, is_trial_conversion, offer_type, environment, period_key,
            to_char(purchased_at, 'YYYY-MM-DD HH24:MI:SS') as bought, to_char(period_end, 'YYYY-MM-DD HH24:MI:SS') as ends,
            price_micros, price_source
        from subledger.transactions order by purchased_at
        """

    private static let subscriptions = """
        select store_key, account_id, environment, state, auto_renew, product_id,
            to_char(expires_at, 'YYYY-MM-DD HH24:MI:SS') as expires, end_reason,
            to_char(next_check_at, 'YYYY-MM-DD HH24:MI:SS') as next
        from subledger.subscriptions
        """

    private static let access = """
        select to_char(access_until, 'YYYY-MM-DD HH24:MI:SS') as until, reason from subledger.entitlements
        """

    /// A trial of five minutes (a sandbox week), then a renewal of five; auto-renew was switched off (intent 1), and
    /// the answer came two days later.
    ///
    /// `in_app` holds the trial only.
    @Test(arguments: Telling.allCases)
    func `the sandbox answer of a trial and its renewal is booked right`(told telling: Telling) async throws {
        try await Self.night(
            of: "verify_receipt_sandbox_trial_then_renewal.json", told: telling, in: .sandbox,
            bundleID: "jp.example.app",
            at: "2018-12-06T14:00:00Z"
        ) { world in
            let transactions = try await world.connection.lines(Self.transactions)
            #expect(
                transactions == [
                    "1000000481802759|trial|false|introductory|sandbox|1000000041616744|"
                        + "2018-12-04 08:03:50|2018-12-04 08:08:50||missing",
                    "1000000481806674|purchase|true||sandbox|1000000041616745|"
                        + "2018-12-04 08:08:50|2018-12-04 08:13:50||missing",
                ])
            let subscriptions = try await world.connection.lines(Self.subscriptions)
            #expect(
                subscriptions == [
                    "1000000481802759|alice|sandbox|expired|false|jp.example.app.subscription|"
                        + "2018-12-04 08:13:50|voluntary|"
                ])
            let access = try await world.connection.lines(Self.access)
            #expect(access == ["2018-12-04 08:13:50|ended"])
            let entries = try await world.connection.lines("select 1 from subledger.ledger_entries")
            #expect(entries.isEmpty)
        }
    }

    /// A weekly subscription, newest first, whose trial (28 April to 5 May) stands in `in_app` only.
    ///
    /// The first paid week we see begins on 28 July, twelve weeks later: a purchase, and no conversion of that trial.
    /// It runs until 11 August; the next check is 24 hours before, and access lasts a day longer.
    @Test(arguments: Telling.allCases)
    func `the production answer of a weekly subscription is booked right`(told telling: Telling) async throws {
        try await Self.night(
            of: "verify_receipt_production_weekly.json", told: telling, in: .production,
            bundleID: "com.adapty.sample_app",
            at: "2021-08-09T18:30:00Z"
        ) { world in
            let transactions = try await world.connection.lines(Self.transactions)
            #expect(
                transactions == [
                    "1000000831360853|trial|false|introductory|production|230000397200750|"
                        + "2021-04-28 19:41:58|2021-05-05 19:41:58||missing",
                    "230001017218955|purchase|false||production|230000849023623|"
                        + "2021-07-28 19:41:58|2021-08-04 19:41:58||missing",
                    "230001020690335|renewal|false||production|230000438372383|"
                        + "2021-08-04 19:41:58|2021-08-11 19:41:58||missing",
                ])
            let subscriptions = try await world.connection.lines(Self.subscriptions)
            #expect(
                subscriptions == [
                    "1000000831360853|alice|production|active|true|basic_subscription_1_month|"
                        + "2021-08-11 19:41:58||2021-08-10 19:41:58"
                ])
            let access = try await world.connection.lines(Self.access)
            #expect(access.first?.hasPrefix("2021-08-12 19:41:58|") == true)
        }
    }
}
