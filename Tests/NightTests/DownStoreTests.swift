// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import TestSupport
import Testing

@testable import StoreSimulator

/// What a store that is down, or counts too many requests, leaves of a date, and what a later start makes good (RULINGS §8).
@Suite(.serialized, .hangLimit) struct DownStoreTests {
    private static let ios = SimulatorConfiguration.App.server(id: "acme-ios", bundleID: "com.acme.app")
    private static let legacy = SimulatorConfiguration.App.receipt(id: "acme-legacy", bundleID: "com.acme.old")

    /// What is under way when the app stops is asked by the next start, too.
    private static let fewInFlight = ("max_in_flight: 64", "max_in_flight: 4")

    /// What the schedule starts, so many hours after the night's first start.
    @discardableResult
    private static func start(
        _ world: NightWorld, _ night: Int, hours: Int64 = 0, expecting exitCode: Int32
    ) async throws -> CommandLineRun.Result {
        let result = try await world.runAgain(at: NightWorld.instant(of: night) + .hours(hours), "--once")
        #expect(result.exitCode == exitCode, "night \(night) + \(hours) h: \(result.standardError.suffix(2_000))")
        return result
    }

    private static func takeDown(
        _ world: NightWorld, at endpoints: [String] = ["statuses", "history", "notification_history"]
    ) {
        for endpoint in endpoints {
            world.stores.faults.plan(.emptyServerError, times: 100_000, at: endpoint)
        }
    }

    private static func issues(_ world: NightWorld) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: world.reports).filter { $0.hasPrefix("2") }.sorted()
    }

    private static func expectNothingLeft(_ world: NightWorld, at now: Instant) async throws {
        let left = try await world.backlog(of: "acme-ios", at: now)
        #expect(left == NightWorld.Backlog(due: 0, neverAnswered: 0))
        let failing = "select count(*) from subledger.subscriptions where failures > 0"
        #expect(try await world.connection.lines(failing) == ["0"])
    }

    private static func lastApp(_ world: NightWorld) async throws -> [String] {
        try await world.connection.lines(
            """
            select app.state, app.is_late, app.reason from subledger.run_apps app
            join subledger.runs run using (run_id) where run.job = 'nightly' order by run_id desc limit 1
            """)
    }

    @Test
    func `a single store that is down for five hours ends three starts with 75, and the fourth finishes the date`()
        async throws
    {
        try await NightWorld.with(seed: 101, customersPerApp: 12, apps: [Self.ios]) { world in
            try await world.moveOn(to: NightWorld.instant(of: 1))
            try await Self.start(world, 1, expecting: 0)
            try await world.moveOn(to: NightWorld.instant(of: 30), since: NightWorld.instant(of: 1))
            Self.takeDown(world)
            for hours in [0, 2, 4] as [Int64] { try await Self.start(world, 30, hours: hours, expecting: 75) }
            #expect(try Self.issues(world) == [NightWorld.businessDate(of: 1)])
            world.stores.faults.clear()
            try await Self.start(world, 30, hours: 8, expecting: 0)
            #expect(try Self.issues(world) == [1, 30].map(NightWorld.businessDate))
            try await Self.expectNothingLeft(world, at: NightWorld.instant(of: 30) + .hours(8))
        }
    }

    /// Down at all of a date's starts and at the first of the next: each date has its issue, and the first that finds the store again
    /// says what the others could not.
    @Test func `a store that is down for thirty hours costs its app two dates and no row`() async throws {
        try await NightWorld.with(seed: 102, customersPerApp: 12, apps: [Self.ios, Self.legacy]) { world in
            try await world.moveOn(to: NightWorld.instant(of: 1))
            try await Self.start(world, 1, expecting: 0)
            try await world.moveOn(to: NightWorld.instant(of: 30), since: NightWorld.instant(of: 1))
            Self.takeDown(world)
            for hours in [0, 2, 4, 8] as [Int64] { try await Self.start(world, 30, hours: hours, expecting: 2) }
            try await world.moveOn(to: NightWorld.instant(of: 31), since: NightWorld.instant(of: 30))
            try await Self.start(world, 31, expecting: 2)
            world.stores.faults.clear()
            try await Self.start(world, 31, hours: 8, expecting: 0)
            let dates = [1, 30, 31].map(NightWorld.businessDate)
            #expect(try Self.issues(world) == dates + ["\(dates[2]).2"])
            try await Self.expectNothingLeft(world, at: NightWorld.instant(of: 31) + .hours(8))
        }
    }

    /// Its first answers are good, and then there is none: what was asked is booked and reported, and the next start
    /// asks the rest.
    ///
    /// The last fifth is more than those whose tries are used up before twenty failures in a row are an outage.
    @Test func `a store that goes down at four fifths has finished its app, late`() async throws {
        try await NightWorld.with(seed: 103, customersPerApp: 150, apps: [Self.ios]) { world in
            let now = NightWorld.instant(of: 1)
            try await world.moveOn(to: now)
            let due = try await world.backlog(of: "acme-ios", at: now).due
            world.stores.faults.plan(.emptyServerError, times: 1, at: "statuses", sparing: due * 4 / 5)
            Self.takeDown(world, at: ["statuses", "notification_history"])
            try await world.with([Self.fewInFlight]) { try await Self.start(world, 1, expecting: 2) }
            let app = try #require(try await Self.lastApp(world).first)
            #expect(app.hasPrefix("stopped|true|") && app.contains("its store does not answer"), "\(app)")
            let left = try await world.backlog(of: "acme-ios", at: now + .hours(2)).due
            #expect(left > 0 && left < due / 2)
            let date = NightWorld.businessDate(of: 1)
            #expect(try Self.issues(world) == [date])
            world.stores.faults.clear()
            let asked = world.stores.quotas.counters.requests["statuses"] ?? 0
            try await Self.start(world, 1, hours: 2, expecting: 0)
            // Each of the rest, which has to be looked for in the sandbox at the most, and none of the others.
            #expect((left...2 * left).contains((world.stores.quotas.counters.requests["statuses"] ?? 0) - asked))
            #expect(try Self.issues(world) == [date, "\(date).2"])
            try await world.expectTables(.disclosed, "after the outage")
        }
    }

    @Test func `a quota that is used up ends the night late, and the rest is asked when there is room`() async throws {
        try await NightWorld.with(seed: 104, customersPerApp: 60, apps: [Self.ios]) { world in
            let now = NightWorld.instant(of: 1)
            try await world.moveOn(to: now)
            let due = try await world.backlog(of: "acme-ios", at: now).due
            world.stores.quotas.setLimit(Quotas.Limit(requests: due / 2, seconds: 36_000))
            try await world.with([Self.fewInFlight]) { try await Self.start(world, 1, expecting: 2) }
            let app = try #require(try await Self.lastApp(world).first)
            #expect(app.hasPrefix("stopped|true|") && app.contains("is used up"), "\(app)")
            let left = try await world.backlog(of: "acme-ios", at: now).due
            #expect(left > 0 && left < due, "\(left) of \(due)")
            world.stores.quotas.setLimit(.published)
            try await Self.start(world, 1, hours: 2, expecting: 0)
            let date = NightWorld.businessDate(of: 1)
            #expect(try Self.issues(world) == [date, "\(date).2"])
            try await world.expectTables(.disclosed, "after the quota")
        }
    }

    /// No check is due: the app has finished, whatever became of its pull, and the next one reads what this one could not.
    @Test func `a pull that fails on a quiet night ends nothing`() async throws {
        let app = SimulatorConfiguration.App.server(
            id: "acme-ios", bundleID: "com.acme.app", hasNotificationURL: true)
        try await NightWorld.with(seed: 105, customersPerApp: 12, apps: [app]) { world in
            try await world.night(1)
            let now = NightWorld.instant(of: 1) + .seconds(60)
            try #require(try await world.backlog(of: "acme-ios", at: now).due == 0)
            world.stores.faults.plan(.emptyServerError, times: 100_000, at: "notification_history")
            let quiet = try await world.runAgain(at: now)
            #expect(quiet.exitCode == 0, "\(quiet.standardError.suffix(2_000))")
            #expect(quiet.standardError.contains("could not be"))
            #expect(try await Self.lastApp(world) == ["done|false|"])
            world.stores.faults.clear()
            try await world.night(2)
            try await world.expectTables(.disclosed, "after the pull")
        }
    }

    /// 3,000 registered ids that no store knows, beside a hundred customers' good ones: each goes the way of its own row.
    @Test func `registered ids that no store knows stop no app`() async throws {
        try await NightWorld.with(
            seed: 106, customersPerApp: 100, apps: [Self.ios], adapting: { $0.requestsPerSecond = 1_000 }
        ) { world in
            try await world.night(1)
            try await world.connection.script(
                """
                select count(subledger.register('acme-ios', (990000000000000 + number)::text))
                from generate_series(1, 3000) as number
                """)
            let night = try await world.night(2, expecting: 2)
            #expect(!night.standardError.contains("App acme-ios stops"))
            #expect(night.standardError.contains("checks of acme-ios failed"))
            #expect(try await Self.lastApp(world) == ["done|false|"])
            let unknown = try await world.connection.lines(
                """
                select store_key like '99000000000%' as is_unknown, next_check_reason = 'not_found' as is_asked_again,
                    count(*)
                from subledger.subscriptions where failures = 1 group by 1, 2
                """)
            #expect(unknown == ["true|true|3000"])
            #expect(try Self.issues(world) == [1, 2].map(NightWorld.businessDate))
        }
    }
}
