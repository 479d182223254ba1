// SPDX-License-Identifier: Apache-2.0

import Model
import StoreSimulator
import TestSupport
import Testing

/// Nights that ask Google Play hours after they began: payments, recoveries and ends that fall in between are told by answers
/// that are later than the night's own clock.
@Suite(.serialized, .hangLimit) struct LongNightsTests {
    private static let nights = 60
    /// How much later than its own clock a night asks.
    private static let delay = Span.hours(9)

    @Test func `payments made while the night runs close the books`() async throws {
        try await NightWorld.with(
            seed: 20_260_111, customersPerApp: 80,
            apps: [.play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .serviceAccount)],
            adapting: { $0.requestsPerSecond = 1_000 }
        ) { world in
            for number in 1...Self.nights {
                let now = NightWorld.instant(of: number)
                // A night whose books do not close ends with 2.
                try await world.nightly(
                    at: now, since: number == 1 ? .distantPast : NightWorld.instant(of: number - 1),
                    reading: now + Self.delay, ["--quiet"])
            }
            try await Self.expectTold(world)
            try await world.night(Self.nights + 1, "--all")
            try await world.expectBooks(.happened, night: Self.nights + 1)
            try world.expectMetrics(.happened, night: Self.nights + 1)
        }
    }

    /// Enough was paid, and ended, between a night's clock and its answers to prove something.
    private static func expectTold(_ world: NightWorld) async throws {
        let told = try await world.connection.lines(
            """
            select count(*) filter (where sold.purchased_at > run.logical_now) > 5
            from subledger.transactions sold
            join subledger.runs run on run.run_id = sold.recorded_run_id
            """)
        #expect(told == ["true"])
    }
}
