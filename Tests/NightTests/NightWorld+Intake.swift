// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

@testable import StoreSimulator

/// Purchases that come by the inbox, and the intakes that look at them.
extension NightWorld {
    /// What was bought in that time, in so many parts, each of every store.
    ///
    /// The first one is for a file of subscriptions: it has the ids of later transactions that are given for a
    /// subscription's own; and where they are to be `new`, those of customers who are known, for a load may have locked
    /// what else they bought.
    func purchases(since: Instant, until: Instant, parts: Int, new: Bool = false) async throws -> [[Registration]] {
        let known = Set(try await connection.lines("select distinct account_id from subledger.subscriptions"))
        let lives = stores.backend.customers.flatMap(\.subscriptions).filter { $0.lateHandIn != nil }
        let late = Set(lives.flatMap(\.periods).map(\.transactionID) + lives.map(\.originalTransactionID))
        var divided = Array(repeating: [Registration](), count: parts)
        var next = 0
        for purchase in stores.registrations(since: since.micros, until: until.micros) {
            guard !late.contains(purchase.storeKey), !new || !known.contains(purchase.accountID) else {
                divided[0].append(purchase)
                continue
            }
            divided[next % parts].append(purchase)
            next += 1
        }
        return divided
    }

    /// What is no purchase of these apps: a signature over other bytes, another app's receipt, an unknown one, a text, nothing, and a
    /// product of 12 kB.
    func handInJunk(at now: Instant) async throws {
        let receipt = Data("receipt|somebody-else|1".utf8).base64EncodedString()
        let junk: [(app: String, kind: String, payload: String, signature: String?, product: String?)] = [
            ("acme-android", "play_purchase", "{\"packageName\":\"com.acme.app\"}", "c2lnbmF0dXJl", nil),
            ("acme-ios", "receipt", receipt, nil, nil), ("acme-legacy", "receipt", receipt, nil, nil),
            ("acme-ios", "original_transaction_id", "a text; drop table", nil, nil),
            ("acme-ios", "signed_transaction", "", nil, nil),
            ("acme-android", "play_token", "no-token-of-anybody", nil, String(repeating: "p", count: 12_288)),
        ]
        let insert = Statement(
            name: "junk",
            text: """
                insert into subledger.purchase_inbox (
                    app_id, account_id, kind, payload, signature, product_id, received_at
                )
                values ($1, 'nuisance', $2, $3, $4, $5, $6)
                """)
        for one in junk {
            try await connection.execute(
                insert,
                [
                    .text(one.app), .text(one.kind), .text(one.payload), PostgresValue(one.signature),
                    PostgresValue(one.product), PostgresValue(now),
                ])
        }
    }

    /// By the stores' clock, too.
    func startIntake(at now: Instant) throws -> RunningProgram {
        stores.setClock(now.micros)
        return try CommandLineRun(
            product: "subledger", arguments: ["intake", "--now", now.iso8601, "--config", configuration]
        ).start()
    }

    /// The run of the last night.
    func lastNight() async throws -> String {
        try await connection.lines("select max(run_id) as it from subledger.runs where job = 'nightly'").first ?? ""
    }

    /// How many sessions wait for a lock.
    func waiting() async throws -> Int {
        try await connection.lines(
            "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
        ).count
    }

    /// Whether an intake beside a run waits for somebody: its sessions bear no run's name.
    func isIntakeWaiting() async throws -> Bool {
        try await !connection.lines(
            "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' "
                + "and application_name !~ ' run [0-9]+[.][0-9]+$'"
        ).isEmpty
    }

    /// Runs that an intake of that instant opened for itself.
    func ownRuns(ofIntakeAt now: Instant) async throws -> [String] {
        try await connection.lines(
            "select run_id, seal is not null as is_sealed from subledger.runs "
                + "where job = 'intake' and logical_now = '\(now.iso8601)'")
    }

    /// What an intake of that instant came to is known at once: verdicts, states and next checks by its own clock, all of it under that
    /// run; and junk is refused, each by itself.
    ///
    /// Returns how many it accepted.
    func expectAssessed(
        at now: Instant, under run: String, _ when: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Int {
        let wrong = try await connection.lines(
            """
            select assessed.kind, assessed.state, assessed.reason, assessed.last_run_id, stored.state, stored.next_check_at
            from subledger.purchase_inbox assessed
            left join subledger.subscriptions stored using (subscription_key)
            where assessed.received_at = '\(now.iso8601)'
                and (assessed.checked_at, assessed.last_run_id) is distinct from ('\(now.iso8601)', \(run))
                or assessed.received_at = '\(now.iso8601)'
                and case
                    when assessed.account_id = 'nuisance' then assessed.state <> 'refused'
                    else assessed.state <> 'accepted' or not assessed.genuine or not assessed.ours
                        or stored.last_checked_at <> '\(now.iso8601)' or stored.next_check_at <= '\(now.iso8601)'
                end
            """)
        #expect(wrong == [], "\(when)", sourceLocation: sourceLocation)
        let runs = try await connection.lines(
            "select distinct run_id from subledger.transaction_versions where recorded_at = '\(now.iso8601)'")
        #expect(Set(runs).isSubset(of: [run]), "\(when)", sourceLocation: sourceLocation)
        let accepted = try await connection.lines(
            "select count(*) from subledger.purchase_inbox where state = 'accepted' and checked_at = '\(now.iso8601)'")
        return accepted.first.flatMap(Int.init) ?? 0
    }
}
