// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// What a night costs, counted by the stores: one call per due subscription, and Play's orders a hundred at a time.
@Suite(.hangLimit) struct SteadyNightTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"),
        .play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .serviceAccount),
    ]

    @Test func `B1: a steady night is one call per due subscription, and one per hundred orders`() async throws {
        try await NightWorld.with(seed: 21, customersPerApp: 150, apps: Self.apps) { world in
            for number in 1...3 { try await world.night(number) }
            try await Self.expectSteadyNight(world, at: NightWorld.instant(of: 4))
        }
    }

    /// Nothing new is handed in: what is due was asked before.
    private static func expectSteadyNight(_ world: NightWorld, at now: Instant) async throws {
        let watch = try await refundWatch(of: world, at: now)
        world.stores.setClock(now.micros)
        let before = world.stores.quotas.counters.requests
        let night = try await world.subledger("nightly", "--now", now.iso8601)
        #expect(night.exitCode == 0, "\(night.standardError)")
        var asked = world.stores.quotas.counters.requests
        for (endpoint, count) in before { asked[endpoint, default: 0] -= count }
        let due = try await due(of: world)
        let (appStore, play) = (due["acme-ios", default: 0], due["acme-android", default: 0])
        #expect(appStore >= 10 && play >= 10, "too few to prove anything")
        // One call for what is due for its charges alone: the history from its cursor, enough where it tells nothing new.
        #expect(asked["refund_history", default: 0] == 0)
        let statuses = asked["statuses", default: 0]
        #expect(
            (appStore - watch.appStoreOnly - watch.appStoreSales...appStore).contains(statuses)
                && watch.appStoreOnly < appStore)
        #expect(asked["transaction_info", default: 0] == watch.appStoreSales)
        // The history is read on where a charge falls under the refund watch, and for a period nobody expected.
        let histories = asked["history", default: 0]
        #expect(histories >= watch.histories && histories <= watch.histories + appStore / 10)
        #expect(asked["subscriptions"] == play - watch.refundsOnly - watch.playSales)
        let booked = try await world.connection.lines(
            "select count(*) from subledger.transactions where app_id = 'acme-android' "
                + "and recorded_run_id = (select max(run_id) from subledger.runs)")
        let hundreds = (watch.orders + (Int(booked.first ?? "") ?? 0) + play) / 100 + 1
        // One order that the store does not know spoils a request of a hundred: it is found by halving, seven times.
        let unknown = try await world.connection.lines(
            """
            select coalesce(sum((counts ->> 'unknown_value.order unknown to the store')::bigint), 0)
            from subledger.run_chunks where run_id = (select max(run_id) from subledger.runs)
            """)
        let strangers = Int(unknown.first ?? "") ?? 0
        #expect(strangers <= 1)
        #expect((1...hundreds + 14 * strangers).contains(asked["orders", default: 0]), "\(strangers) unknown")
        #expect(asked["voided_purchases"] == 1)
        #expect(asked["token"] == 1)
    }

    private static func due(of world: NightWorld) async throws -> [String: Int] {
        let lines = try await world.connection.lines(
            "select app_id, due from subledger.run_apps where run_id = (select max(run_id) from subledger.runs)")
        var due: [String: Int] = [:]
        for line in lines {
            let cells = line.split(separator: "|")
            due[String(cells[0])] = Int(cells[1])
        }
        return due
    }

    /// What falls under the refund watch of a night.
    private struct Watched {
        /// App Store subscriptions whose history is read on.
        let histories: Int
        /// The App Store's that are due for nothing else.
        let appStoreOnly: Int
        /// Play's that are due for nothing else.
        let refundsOnly: Int
        /// Play's orders that are looked at again.
        let orders: Int
        /// One-time sales whose look is due, of either store.
        let appStoreSales: Int
        let playSales: Int
    }

    private static func refundWatch(
        of world: NightWorld, at now: Instant
    ) async throws -> Watched {
        let watch = """
            select distinct s.subscription_key, s.app_id from subledger.subscriptions s
            join subledger.transactions t on t.subscription_key = s.subscription_key
            cross join unnest(case s.app_id when 'acme-ios' then array[30, 60] else array[7, 30, 60] end) as day
            where s.next_check_at <= '\(now.iso8601)' and t.kind <> 'trial' and t.refunded_at is null
                and t.purchased_at + day * interval '1 day' > s.last_checked_at
                and t.purchased_at + day * interval '1 day' <= '\(now.iso8601)'
            """
        let figures = try await world.connection.lines(
            """
            with watch as (\(watch))
            select
                (select count(*) from watch where app_id = 'acme-ios') as app_store,
                (
                    select count(*) from subledger.subscriptions
                    where app_id = 'acme-ios' and next_check_at <= '\(now.iso8601)'
                        and next_check_reason = 'refund_watch'
                        and (state in ('expired', 'revoked') or expires_at > '\(now.iso8601)')
                ) as only_app_store,
                (
                    select count(*) from subledger.subscriptions
                    where app_id = 'acme-android' and next_check_at <= '\(now.iso8601)'
                        and next_check_reason = 'refund_watch'
                        and (state in ('expired', 'revoked') or expires_at > '\(now.iso8601)')
                ) as only_play,
                (
                    select count(*) from subledger.transactions
                    where subscription_key in (select subscription_key from watch where app_id = 'acme-android')
                ) as orders,
                (
                    select count(*) from subledger.watched_sales
                    where app_id = 'acme-ios' and next_look_at <= '\(now.iso8601)'
                ) as app_store_sales,
                (
                    select count(*) from subledger.watched_sales
                    where app_id = 'acme-android' and next_look_at <= '\(now.iso8601)'
                ) as play_sales
            """)
        let cells = figures.first?.split(separator: "|").compactMap { Int($0) } ?? []
        guard cells.count == 6 else { throw NightError("the refund watch could not be counted") }
        return Watched(
            histories: cells[0], appStoreOnly: cells[1], refundsOnly: cells[2], orders: cells[3],
            appStoreSales: cells[4], playSales: cells[5])
    }
}
