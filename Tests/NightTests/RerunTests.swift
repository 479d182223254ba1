// SPDX-License-Identifier: Apache-2.0

import Model
import StoreSimulator
import TestSupport
import Testing

/// A night is run again after an outage, be it an hour later: it asks everything that was not read.
@Suite(.serialized, .hangLimit) struct RerunTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
    ]

    @Test
    func `C4: the run after an outage asks everything again, and the run of the outage asked each once`() async throws {
        try await NightWorld.with(seed: 61, customersPerApp: 4, apps: Self.apps) { world in
            try await world.night(1, "--no-reports")
            let now = NightWorld.instant(of: 30)
            try await world.moveOn(to: now, since: NightWorld.instant(of: 1))
            let due = try await world.backlog(of: "acme-ios", at: now).due
            world.stores.faults.plan(.emptyServerError, times: 1_000, at: "statuses")
            let outage = try await world.runAgain(at: now, "--no-reports")
            #expect(outage.exitCode == 2, "\(outage.standardError.suffix(2_000))")
            let planned = try await world.connection.lines(
                "select due from subledger.run_apps where app_id = 'acme-ios' order by run_id desc limit 1")
            #expect(planned == ["\(due)"] && due > 2)
            #expect(try await world.backlog(of: "acme-ios", at: now).due == due)
            world.stores.faults.clear()
            let again = try await world.runAgain(at: now + .hours(1), "--no-reports")
            #expect(again.exitCode == 0, "\(again.standardError.suffix(2_000))")
            #expect(try await world.written(of: "acme-ios").first?.hasSuffix("|0") == true)
            try await world.expectTables(.disclosed, "after the outage")
        }
    }

    /// The store answers one in two: the app has finished, and what it did not read is due at once.
    @Test func `C4: failed checks beside good ones are told, and the next run makes them`() async throws {
        try await NightWorld.with(seed: 62, customersPerApp: 60, apps: [Self.apps[1]]) { world in
            let now = NightWorld.instant(of: 1)
            try await world.moveOn(to: now)
            // Budget for twenty retries: forty failures leave some unread, and more than thirty are read.
            world.stores.faults.plan(.emptyServerError, times: 40, at: "verify_receipt", sparing: 1)
            let night = try await world.runAgain(at: now, "--no-reports")
            #expect(night.exitCode == 2, "\(night.standardError.suffix(2_000))")
            #expect(night.standardError.contains("checks of acme-legacy failed"))
            let again = try await world.runAgain(at: now + .hours(1), "--no-reports")
            #expect(again.exitCode == 0, "\(again.standardError.suffix(2_000))")
            #expect(try await world.backlog(of: "acme-legacy", at: now).neverAnswered == 0)
        }
    }
}
