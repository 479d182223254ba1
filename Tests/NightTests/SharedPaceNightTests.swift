// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import TestSupport
import Testing

@testable import StoreSimulator

/// Jobs beside each other share the stores' quotas, and purchases come first.
@Suite(.serialized, .hangLimit) struct SharedPaceNightTests {
    private static let app = SimulatorConfiguration.App.server(id: "acme-ios", bundleID: "com.acme.app")
    private static let purchases = 110

    /// Twenty a second and a second's worth at once: in six seconds 140.
    ///
    /// The night alone sends 120 of them, and the intake would send its 110 in five seconds.
    /// Between them lies what a loaded machine brings to the store late: the requests of three seconds and more.
    private static let limit = Quotas.Limit(requests: 6 * 20 + 20 + 72, seconds: 6)

    @Test func `purchases are assessed while a night is at its quota, and both together are never over it`()
        async throws
    {
        try await NightWorld.with(seed: 81, customersPerApp: 0, apps: [Self.app]) {
            $0.requestsPerSecond = 20
            $0.customers = UniformLives.lives(
                of: Self.app, customers: 1_400, months: 1, firstNight: NightWorld.firstNight.micros)
        } _: { world in
            let now = NightWorld.instant(of: 1)
            let bought = world.stores.registrations(since: Instant.distantPast.micros, until: now.micros)
            try #require(bought.count == 1_400)
            try await world.register(Array(bought.dropLast(Self.purchases)), at: now)
            world.stores.setClock(now.micros)
            async let night = world.runAgain(at: now, "--no-reports")
            // Its first burst is over.
            try await waitUntil { world.stores.quotas.counters.requests["statuses", default: 0] > 120 }
            world.stores.quotas.setLimit(Self.limit)
            try await world.handIn(bought.suffix(Self.purchases), at: now)
            let intake = try await world.subledger("intake", "--now", now.iso8601)
            #expect(intake.exitCode == 0, "\(intake.standardError.suffix(2_000))")
            let verdicts = "select state, count(*) from subledger.purchase_inbox group by 1"
            #expect(try await world.connection.lines(verdicts) == ["accepted|\(Self.purchases)"])
            let runs = "select job, outcome, seal is null as is_open from subledger.runs"
            #expect(try await world.connection.lines(runs + " where job <> 'import'") == ["nightly|running|true"])
            let ended = try await night
            #expect(ended.exitCode == 0, "\(ended.standardError.suffix(2_000))")
            #expect(world.stores.quotas.counters.refused == 0)
        }
    }

    private static let other = SimulatorConfiguration.App.server(id: "acme-mac", bundleID: "com.acme.mac")

    /// A store that counts both together would see a second's worth at once and twenty a second; each by itself would have sent all
    /// of its 150 in seven seconds.
    @Test func `two starts with an app each share the quota that the owner names for both`() async throws {
        let customers = 150
        try await NightWorld.with(seed: 82, customersPerApp: 0, apps: [Self.app, Self.other]) {
            $0.requestsPerSecond = 20
            $0.customers = [(Self.app, 0), (Self.other, customers)].flatMap { app, earlier in
                UniformLives.lives(
                    of: app, customers: customers, after: earlier, months: 1, firstNight: NightWorld.firstNight.micros)
            }
        } _: { world in
            let rate = "requests_per_second: 20"
            let text = try String(contentsOfFile: world.configuration, encoding: .utf8)
            try text.replacing(rate, with: rate + "\n    quota: acme")
                .write(toFile: world.configuration, atomically: true, encoding: .utf8)
            let now = NightWorld.instant(of: 1)
            try await world.register(from: .distantPast, to: now)
            world.stores.setClock(now.micros)
            async let first = world.runAgain(at: now, "--no-reports", "--app", "acme-ios")
            async let second = world.runAgain(at: now, "--no-reports", "--app", "acme-mac")
            try await expectOnePace(in: world, for: 2 * customers)
            for ended in try await [first, second] {
                #expect(ended.exitCode == 0, "\(ended.standardError.suffix(2_000))")
            }
            let checked =
                "select app_id, count(*) from subledger.subscriptions where last_checked_at is not null group by 1 order by 1"
            #expect(try await world.connection.lines(checked) == ["acme-ios|\(customers)", "acme-mac|\(customers)"])
        }
    }

    private func expectOnePace(in world: NightWorld, for requests: Int) async throws {
        var begun: ContinuousClock.Instant?
        while true {
            let counted = world.stores.quotas.counters.requests["statuses", default: 0]
            if begun == nil, counted > 0 { begun = .now }
            // What a loaded machine brings late: the requests of three seconds.
            let seconds = begun.map { Int((ContinuousClock.now - $0).components.seconds) + 1 } ?? 0
            #expect(counted <= 20 * seconds + 20 + 60, "after \(seconds) s")
            if counted >= requests { return }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
