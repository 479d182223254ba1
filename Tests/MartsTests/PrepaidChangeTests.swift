// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ReportSupport

/// Google Play: a plan that renews itself gives way to one that is paid in advance, and that to the first again.
@Suite struct PrepaidChangeTests {
    /// All of it before anybody asked.
    ///
    /// Whoever pays in advance has no MRR, and has not left.
    @Test(arguments: [("replaced", "moved_out", "moved_in"), ("voluntary", "churn_voluntary", "reactivation")])
    func `what ended a purchase counts, though it was reported after the next one began`(
        reason: String, wayOut: String, wayIn: String
    ) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            let gone = "2026-01-10 12:00Z"
            try await world.charged(
                Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", isUpgraded: true, store: "google_play"))
            try await world.became("expired", at: gone, recorded: "2026-02-01 02:00Z", reason: reason, expires: gone)
            try await world.charged(
                Sale(
                    key: 2, product: "prepaid", kind: "top_up", from: gone, to: "2026-02-10 12:00Z",
                    store: "google_play", lineage: 1))
            try await world.charged(
                Sale(
                    key: 3, kind: "crossgrade", from: "2026-01-21 12:00Z", to: "2026-02-21 12:00Z",
                    store: "google_play", lineage: 1))
            #expect(
                try await world.bridge(through: "2026-01-31") == [
                    "2026-01-05 monthly USD: 0.000000, new 9.990000 = 9.990000",
                    "2026-01-10 monthly USD: 9.990000, \(wayOut) -9.990000 = 0.000000",
                    "2026-01-21 monthly USD: 0.000000, \(wayIn) 9.990000 = 9.990000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
