// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog
import TestSupport
import Testing

@testable import ReportSupport

/// The churn of thirty days that the page's head shows, counted by hand.
@Suite struct ChurnWindowTests {
    /// Pays from noon to noon.
    ///
    /// Who left did so when the last period ended.
    private func pays(
        _ world: ReportWorld, key: Int64, _ periods: [(product: String, from: String, to: String)], then state: String
    ) async throws {
        for (place, period) in periods.enumerated() {
            try await world.charged(
                Sale(
                    key: key, id: "\(key)-\(place)", product: period.product,
                    kind: place == 0 ? "purchase" : "crossgrade",
                    from: "2026-\(period.from) 12:00Z", to: "2026-\(period.to) 12:00Z", price: 10_000_000))
        }
        let end = try #require(periods.last).to
        try await world.became(
            state, key: key, at: state == "active" ? "2026-01-01 12:00Z" : "2026-\(end) 12:00Z",
            reason: state == "expired" ? "voluntary" : nil, expires: "2026-\(end) 12:00Z")
    }

    /// To 31 March the thirty days begin with the 2nd, to 1 March with 31 January.
    @Test func `who was active when thirty days began and left within them is lost, under the product of then`()
        async throws
    {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await pays(world, key: 1, [("monthly", "02-10", "03-10")], then: "expired")
            try await pays(world, key: 2, [("gold", "02-05", "03-05"), ("silver", "03-05", "03-25")], then: "expired")
            try await pays(world, key: 3, [("monthly", "02-15", "04-15")], then: "active")
            // Came within the thirty days, and left again.
            try await pays(world, key: 4, [("monthly", "03-10", "03-20")], then: "expired")
            // On the first of the days: it was of their opening.
            try await pays(world, key: 5, [("monthly", "02-02", "03-02")], then: "expired")
            // Payment is awaited: no customer has left.
            try await pays(world, key: 6, [("monthly", "02-12", "03-12")], then: "billing_retry")
            try await pays(world, key: 7, [("monthly", "01-01", "02-15")], then: "expired")
            let spans = try await world.reported(
                "select date, product_id, opening, lost from (\(SQL.Reports.Page.churnWindows.text)) span",
                through: "2026-03-31")
            #expect(
                spans == ["2026-03-01|monthly|1|1", "2026-03-31|gold|1|1", "2026-03-31|monthly|4|2"])
        }
    }
}
