// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Notifications
import Runs
import Stores
import Postgres
import Testing
import TestSupport

/// What a run does with the inbox: each notification once, in any order, all or nothing.
@Suite struct InboxTests {
    @Test
    func `C1: a notification makes its subscription due at once, registers unknown ones, books nothing`() async throws {
        try await NotificationWorld.with { world in
            try await world.closed("2001")
            try await world.insert(try SampleNotifications.v2(id: "2001", uuid: "a"), .appStoreV2)
            try await world.insert(
                try SampleNotifications.v2("SUBSCRIBED", "INITIAL_BUY", id: "2002", uuid: "b"), .appStoreV2)
            try await world.insert(
                SampleNotifications.pushed(SampleNotifications.subscription(4, token: "token-3"), id: "m-1"), .playRTDN,
                app: "acme-android")
            let summary = try await world.run()
            #expect(summary.outcome == .done)
            #expect(summary.apps.map { $0.counts?.registered } == [1, 0, 1])
            #expect(
                try await world.subscriptions() == [
                    "2001|expired|-infinity|notified", "2002|unverified|-infinity|notified",
                    "token-3|unverified|-infinity|notified",
                ])
            let registered = try await world.connection.lines(
                """
                select app_id, product_id, environment, account_id, registered_at from subledger.subscriptions
                where state = 'unverified' order by app_id
                """)
            #expect(
                registered == [
                    "acme-android||||2026-03-10T12:00:00+00:00",
                    "acme-ios|gold.month|production||2026-03-10T12:00:00+00:00",
                ])
            #expect(try await world.bookedRows() == ["0|0|0"])
            let runs = try await world.connection.lines(
                "select job, outcome, seal, counts ->> 'applied', counts ->> 'registered' from subledger.runs")
            #expect(runs == ["notifications|done|1|3|2"])
            let handled = try await world.connection.lines(
                "select distinct state, handled_at, handled_run_id, is_pulled from notification_inbox")
            #expect(handled == ["applied|2026-03-10T12:00:00+00:00|1|false"])
        }
    }

    /// Whatever the database's own reason is: here a rule of the owner's that one new subscription breaks.
    @Test(arguments: ["54000", "P0001"])
    func `a notification that the database refuses is refused by itself, and its neighbours are applied`(
        sqlState: String
    ) async throws {
        try await NotificationWorld.with { world in
            try await world.connection.script(
                """
                create function public.refuse() returns trigger language plpgsql as $refuse$
                begin
                    if new.store_key = 'token-3' then
                        raise exception 'a rule of the owner''s' using errcode = '\(sqlState)';
                    end if;
                    return new;
                end $refuse$;
                create trigger refuse before insert on subledger.subscriptions
                    for each row execute function public.refuse()
                """)
            for token in 1...5 {
                try await world.insert(
                    SampleNotifications.pushed(
                        SampleNotifications.subscription(4, token: "token-\(token)"), id: "m-\(token)"),
                    .playRTDN, app: "acme-android")
            }
            _ = try await world.run("acme-android")
            let states =
                "select state, count(*), max(reason) like '%\(sqlState)%' from notification_inbox group by 1 order by 1"
            #expect(try await world.connection.lines(states) == ["applied|4|", "refused|1|true"])
            #expect(try await world.subscriptions().count == 4)
        }
    }

    @Test
    func `C1: the documented version 1 sample registers its subscription with the receipt to ask with`() async throws {
        try await NotificationWorld.with { world in
            var sample = try SampleNotifications.sample()
            var unified = try #require(sample["unified_receipt"] as? SampleNotifications.Object)
            unified["latest_receipt"] = "UkVDRUlQVC1DQU5BUlk="
            sample["unified_receipt"] = unified
            try await world.insert(SampleNotifications.json(sample), .appStoreV1, app: "acme-receipts")
            #expect(try await world.run("acme-receipts").apps.first?.counts?.registered == 1)
            let rows = try await world.connection.lines(
                """
                select s.store_key, s.product_id, s.environment, s.next_check_at, r.receipt
                from subledger.subscriptions s left join subledger.receipts r using (receipt_id)
                """)
            #expect(
                rows == [
                    "1000000831360853|basic_subscription_1_month|production|-infinity|UkVDRUlQVC1DQU5BUlk="
                ])
            #expect(try await world.verdicts() == ["applied|DID_RENEW|"])
        }
    }

    @Test
    func `C1: of a version 1 notification that was handled, no secret and no receipt stays readable`() async throws {
        try await NotificationWorld.with { world in
            let texts = [
                SampleNotifications.v1(
                    "DID_RENEW", id: "41",
                    [
                        "latest_receipt": "UkVDRUlQVC1DQU5BUlk=", "unique_identifier": "device-canary",
                        "unified_receipt": ["latest_receipt": "UkVDRUlQVC1DQU5BUlk=", "status": 0],
                    ]),
                // Refused: of another app, with another secret, no JSON.
                SampleNotifications.v1(
                    "DID_RENEW", id: "42", ["bid": "com.other", "latest_receipt": "UkVDRUlQVC1DQU5BUlk="]),
                SampleNotifications.v1("DID_RENEW", id: "43", ["password": "other-secret-canary"]),
                "{\"password\":\"\(NotificationWorld.secret)\",\"latest_receipt\":\"UkVDRUlQVC1DQU5BUlk=",
            ]
            for text in texts + [texts[0]] { try await world.insert(text, .appStoreV1) }
            let before = try await world.subledger("notifications", "export")
            try await world.run("acme-ios")
            let stored = try await world.connection.lines(
                "select payload from notification_inbox order by notification_id")
            for canary in [NotificationWorld.secret, "secret-canary", "UkVDRUlQVC1DQU5BUlk", "device-canary"] {
                #expect(!stored.joined().contains(canary), "\(canary)")
            }
            #expect(
                try await world.verdicts().map { $0.prefix(7) } == [
                    "applied", "ignored", "refused", "refused", "refused",
                ])
            // What an export shows of those that were believed is what it showed before, their lengths included.
            let after = try await world.subledger("notifications", "export")
            let first = before.standardOutput.split(separator: "\n").prefix(2)
            #expect(after.standardOutput.split(separator: "\n").prefix(2) == first)
            #expect(first.last?.contains("DID_RENEW") == true)
        }
    }

    @Test
    func `C1: version 1 distinguishes one-time products from subscriptions, and makes all those of its receipt due`()
        async throws
    {
        let rows: [SampleNotifications.Object] = [
            ["original_transaction_id": "31", "product_id": "a", "expires_date_ms": "1"],
            ["original_transaction_id": 32, "product_id": "b", "expires_date": "2026-01-01 00:00:00 Etc/GMT"],
            ["original_transaction_id": "33", "product_id": "coins"],
        ]
        try await NotificationWorld.with { world in
            try await world.insert(
                SampleNotifications.v1(
                    "DID_RENEW", id: "33",
                    [
                        "auto_renew_product_id": nil, "original_transaction_id": nil,
                        "unified_receipt": ["latest_receipt_info": rows],
                    ]), .appStoreV1)
            try await world.insert(
                SampleNotifications.v1(
                    "REFUND", id: "33",
                    ["auto_renew_product_id": nil, "unified_receipt": ["latest_receipt_info": [rows[2]]]]),
                .appStoreV1)
            // Before 2021 the row stood at the top, as an object.
            try await world.insert(
                SampleNotifications.v1(
                    "CANCEL", id: "34",
                    [
                        "original_transaction_id": nil,
                        "latest_receipt_info": [
                            "original_transaction_id": "34", "expires_date": "1628710918000",
                        ],
                    ]), .appStoreV1)
            try await world.run("acme-ios")
            #expect(
                try await world.subscriptions() == [
                    "31|unverified|-infinity|notified", "32|unverified|-infinity|notified",
                    "33|unverified|-infinity|refund_notified", "34|unverified|-infinity|refund_notified",
                ])
            #expect(
                try await world.verdicts() == [
                    "applied|CANCEL|", "applied|DID_RENEW|", "applied|REFUND|",
                ])
        }
    }

    @Test
    func `C1: the same notification again is ignored: in one batch, in a later run, in another dress`() async throws {
        try await NotificationWorld.with { world in
            try await world.closed("2001")
            let letter = try SampleNotifications.v2(uuid: "same")
            try await world.insert(letter, .appStoreV2)
            try await world.insert(letter, .appStoreV2)
            let again = SampleNotifications.payload(
                "DID_RENEW", uuid: "same",
                data: try SampleNotifications.data(
                    SampleNotifications.transaction("2001", ["signedDate": 1_773_140_500_000])))
            try await world.insert(
                SampleNotifications.v1("DID_RENEW", id: "2001", ["latest_receipt": "QQ=="]), .appStoreV1)
            try await world.insert(
                SampleNotifications.v1("DID_RENEW", id: "2001", ["latest_receipt": "Qg=="]), .appStoreV1)
            try await world.insert(
                SampleNotifications.pushed(SampleNotifications.subscription(2, token: "token-1"), id: "m-1"), .playRTDN,
                app: "acme-android")
            try await world.insert(
                SampleNotifications.pushed(SampleNotifications.subscription(2, token: "token-1"), id: "m-1"), .playRTDN,
                app: "acme-android")
            try await world.insert(SampleNotifications.subscription(3, token: "t"), .playRTDN, app: "acme-android")
            try await world.insert(SampleNotifications.subscription(3, token: "t"), .playRTDN, app: "acme-android")
            let first = try await world.run()
            #expect(first.apps.map { $0.counts?.duplicates } == [2, 0, 2])
            try await world.connection.script("update subledger.subscriptions set next_check_at = null")
            try await world.insert(try SampleNotifications.envelope(again), .appStoreV2)
            let second = try await world.run()
            #expect(second.apps.first?.counts?.duplicates == 1)
            #expect(try await world.verdicts().count { $0.hasPrefix("ignored|") && $0.hasSuffix("|a duplicate") } == 5)
            #expect(try await world.subscriptions().allSatisfy { !$0.contains("infinity") })
        }
    }

    @Test func `C1: two messages that say the same are two notifications`() async throws {
        try await NotificationWorld.with { world in
            for id in ["m-1", "m-2"] {
                try await world.insert(
                    SampleNotifications.pushed(SampleNotifications.subscription(2, token: "token-1"), id: id),
                    .playRTDN,
                    app: "acme-android")
            }
            #expect(try await world.run("acme-android").apps.first?.counts?.applied == 2)
        }
    }

    @Test func `C1: notifications out of order end as those in order`() async throws {
        var ends: [[String]] = []
        for isReversed in [false, true] {
            try await NotificationWorld.with { world in
                try await world.closed("2001")
                let letters = [
                    try SampleNotifications.v2("EXPIRED", "VOLUNTARY", uuid: "a"),
                    try SampleNotifications.v2("SUBSCRIBED", "RESUBSCRIBE", uuid: "b"),
                    try SampleNotifications.v2("REFUND", uuid: "c"),
                ]
                for letter in isReversed ? letters.reversed() : letters { try await world.insert(letter, .appStoreV2) }
                try await world.run("acme-ios")
                ends.append(try await world.verdicts() + (try await world.subscriptions()))
            }
        }
        #expect(ends[0] == ends[1] && ends[0].last == "2001|expired|-infinity|refund_notified")
    }

    @Test
    func `C1: a batch commits with the checks it requests, or not at all, and the run that failed is closed`()
        async throws
    {
        try await NotificationWorld.with { world in
            try await world.closed("2001")
            try await world.insert(try SampleNotifications.v2(uuid: "a"), .appStoreV2)
            try await world.insert("{}", .appStoreV2)
            // Fails at the commit itself, after every statement had succeeded.
            try await world.connection.script(
                """
                create function public.refuse() returns trigger language plpgsql as
                    $$ begin raise exception 'refused' using errcode = 'integrity_constraint_violation'; end $$;
                create constraint trigger refuse after update on subledger.notification_inbox
                    deferrable initially deferred for each row execute function public.refuse();
                """)
            await #expect(throws: PostgresError.self) { try await world.run("acme-ios") }
            #expect(try await world.verdicts() == ["pending||", "pending||"])
            #expect(try await world.subscriptions() == ["2001|expired||never"])
            try await world.connection.script("drop trigger refuse on subledger.notification_inbox")
            let summary = try await world.run("acme-ios")
            #expect(summary.apps.first?.counts?.applied == 1)
            #expect(try await world.verdicts() == ["applied|DID_RENEW|", "refused||malformed_json"])
            let runs = try await world.connection.lines("select outcome, seal from subledger.runs order by run_id")
            #expect(runs == ["failed|1", "done|2"])
        }
    }

    @Test func `C1: more than a batch is read to its end`() async throws {
        try await NotificationWorld.with { world in
            for number in 1...450 {
                try await world.insert(
                    SampleNotifications.subscription(2, token: "token-\(number)"), .playRTDN, app: "acme-android")
            }
            let counts = try #require(try await world.run("acme-android").apps.first?.counts)
            #expect(counts.read == 450 && counts.applied == 450 && counts.registered == 450)
        }
    }
}
