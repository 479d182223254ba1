// SPDX-License-Identifier: Apache-2.0

import Model
import TestSupport
import Testing

@testable import StoreSimulator

/// Testers' apps, in which a month takes five minutes: the same job, started every five minutes while they buy.
@Suite(.serialized, .hangLimit) struct SandboxNightTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"),
        .server(
            id: "acme-ios-sandbox", bundleID: "com.acme.app", environment: .sandbox, sandboxClock: SandboxClock()),
        .receipt(
            id: "acme-legacy-sandbox", bundleID: "com.acme.old", environment: .sandbox,
            sandboxClock: SandboxClock(renewals: 6)),
    ]
    private static let rhythm: Int64 = 5 * 60 * 1_000_000

    @Test
    func `B10: every five minutes a tester's app equals the store's books, and none of it is revenue`() async throws {
        let customers = Self.customers
        let handPicked: (inout SimulatorConfiguration) -> Void = { $0.customers = customers }
        try await NightWorld.with(seed: 5, customersPerApp: 0, apps: Self.apps, adapting: handPicked) {
            try await Self.play(in: $0, Self.runs(for: customers))
        }
    }

    private static func play(in world: NightWorld, _ runs: [Instant]) async throws {
        try #require(runs.count > 40)
        try await world.night(1, "--quiet")
        var last = NightWorld.instant(of: 1)
        for now in runs {
            let apps = ["--app", "acme-ios-sandbox", "--app", "acme-legacy-sandbox"]
            try await world.nightly(at: now, since: last, apps + ["--no-reports", "--quiet"])
            last = now
            try await world.expectTables(.disclosed, "\(now.iso8601)")
        }
        let night = Int((last.micros - NightWorld.firstNight.micros) / 86_400_000_000) + 2
        try await world.nightly(at: NightWorld.instant(of: night), since: last, ["--all", "--quiet"])
        try await world.expectBooks(.happened, night: night)
        try await expectNothingIsRevenue(world, night)
    }

    private static func expectNothingIsRevenue(_ world: NightWorld, _ night: Int) async throws {
        let tested = try await world.bookedTransactions().filter { $0.environment == .sandbox }
        #expect(tested.count > 30, "too few to prove anything")
        let revenue = world.stores.books.revenue(.happened, through: NightWorld.businessDate(of: night))
        let rows = try world.revenueRows(of: night, like: revenue)
        #expect(Set(rows.map { $0.words["app_id"] }) == ["acme-ios"])
        let booked = try await world.connection.lines(
            "select distinct app_id from subledger.ledger_entries join subledger.subscriptions using (subscription_key) "
                + "where app_id like '%sandbox'")
        #expect(booked == [])
    }

    /// Three testers of each app, each with another kind of life, and a few who pay.
    private static var customers: [CustomerLife] {
        let span = LifeSpan(
            firstNight: NightWorld.firstNight.micros, horizon: (NightWorld.firstNight + .days(60)).micros)
        let lives = AppStorePopulation.lives(seed: 5, customersPerApp: 90, apps: apps, span: span)
        let of = Dictionary(grouping: lives, by: \.appID)
        let known = of["acme-ios", default: []].filter { $0.subscriptions[0].periods[0].createdAt < span.firstNight }
        return Array(known.prefix(4))
            + [0, 3, 5].compactMap { kind in later(of["acme-ios-sandbox", default: []], kind) }
            + [0, 1, 2].compactMap { kind in later(of["acme-legacy-sandbox", default: []], kind) }
    }

    /// The first tester with that kind of life, of the six there are, who begins after the first night.
    private static func later(_ lives: [CustomerLife], _ kind: Int) -> CustomerLife? {
        lives.enumerated().first { place, life in
            place % 6 == kind && life.subscriptions[0].periods[0].createdAt > NightWorld.firstNight.micros
        }?.element
    }

    /// Every five minutes from a tester's first purchase until well after the last period.
    private static func runs(for customers: [CustomerLife]) -> [Instant] {
        var runs: Set<Int64> = []
        for life in customers.filter({ $0.environment == .sandbox }).flatMap(\.subscriptions) {
            guard let first = life.periods.first, let last = life.periods.last else { continue }
            var run = (first.createdAt / rhythm + 1) * rhythm
            while run < last.expiresAt + 4 * rhythm {
                runs.insert(run)
                run += rhythm
            }
        }
        return runs.sorted().map(Instant.init(micros:))
    }
}
