// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import TestSupport
import Testing

@testable import StoreSimulator

/// Quotas and outages: slowed down where the store says so, and nothing booked where it says nothing.
@Suite(.serialized, .hangLimit) struct OutageTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
    ]

    @Test func `a night over the quota waits as long as it is told and asks everything`() async throws {
        try await NightWorld.with(seed: 31, customersPerApp: 50, apps: [Self.apps[0]]) { world in
            world.stores.quotas.setLimit(Quotas.Limit(requests: 20, seconds: 2))
            try await world.night(1)
            #expect(world.stores.quotas.counters.refused > 0)
            let unasked = try await world.connection.lines(
                "select count(*) from subledger.subscriptions where last_checked_at is null and failures > 0")
            #expect(unasked == ["0"])
        }
    }

    /// It may pass by itself, so whoever started it tries again; nothing is issued, and the date owes its report until
    /// a night finishes the app.
    ///
    /// A date without a sealed night owes none.
    @Test func `a night of failed checks ends with 75, however few they are, and its report is owed`() async throws {
        try await NightWorld.with(seed: 32, customersPerApp: 4, apps: [Self.apps[0]]) { world in
            try await world.night(1)
            let ended = try await world.connection.lines("select count(*) from subledger.state_changes")
            world.stores.faults.plan(.emptyServerError, times: 1_000, at: "statuses")
            let night = try await world.night(20, expecting: 75)
            #expect(night.standardError.contains("acme-ios"))
            let after = try await world.connection.lines("select count(*) from subledger.state_changes")
            #expect(after == ended)
            #expect(try Self.issues(world) == [1].map(NightWorld.businessDate))
            let sealed = "select outcome, seal is not null, report_due from subledger.runs where job = 'nightly'"
            #expect(try await world.connection.lines(sealed) == ["done|true|false", "failed|true|true"])
            world.stores.faults.clear()
            try await world.night(22)
            #expect(try Self.issues(world) == [1, 20, 22].map(NightWorld.businessDate))
            #expect(try await world.connection.lines("select 1 from subledger.runs where report_due") == [])
        }
    }

    private static func issues(_ world: NightWorld) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: world.reports).filter { $0.hasPrefix("2") }.sorted()
    }

    /// One worker asks one app after the other, sixty customers at five a second: a second is over in the first
    /// one.
    @Test func `a night that is out of time begins nothing more and says what stays due`() async throws {
        try await NightWorld.with(seed: 34, customersPerApp: 60, apps: Self.apps) { world in
            let whole = try String(contentsOfFile: world.configuration, encoding: .utf8)
            let slow = whole.replacing("requests_per_second: 40", with: "requests_per_second: 5")
            try #require(slow != whole)
            try slow.replacing("nightly: {", with: "nightly: { finish_within: 1s,")
                .write(toFile: world.configuration, atomically: true, encoding: .utf8)
            let first = NightWorld.instant(of: 1)
            world.stores.setClock(first.micros)
            try await world.register(from: .distantPast, to: first)
            let late = try await world.subledger("nightly", "--now", first.iso8601, "--workers", "1")
            // 2; or 75 on a machine that was too slow to begin anything at all.
            #expect([2, 75].contains(late.exitCode))
            #expect(late.standardError.contains("nightly.finish_within is over"))
            // Its report has no such limit: what was asked is reported.
            if late.exitCode == 2 { #expect(try Self.issues(world) == [NightWorld.businessDate(of: 1)]) }
            let left = "select count(*) > 0 from subledger.subscriptions where last_checked_at is null"
            #expect(try await world.connection.lines(left) == ["true"])
            try whole.write(toFile: world.configuration, atomically: true, encoding: .utf8)
            try await world.night(2)
            #expect(try await world.connection.lines(left) == ["false"])
        }
    }

    /// Down until the night waits for it: nothing is asked for longer than its first pause.
    @Test func `a store that comes back is waited for, and everything is asked`() async throws {
        try await NightWorld.with(seed: 36, customersPerApp: 40, apps: [Self.apps[0]]) { world in
            let faults = world.stores.faults
            faults.plan(.emptyServerError, times: 1_000, at: "statuses")
            try await world.with([("wait_for_store: 1s", "wait_for_store: 10m")]) {
                async let comesBack: Void = Self.comeBack(faults, at: "statuses")
                let night = try await world.night(1)
                try await comesBack
                #expect(night.standardError.contains("it is waited for"))
                #expect(night.standardError.contains("the store answers again"))
            }
            let unasked = try await world.connection.lines(
                "select count(*) from subledger.subscriptions where last_checked_at is null or failures > 0")
            #expect(unasked == ["0"])
        }
    }

    /// Six seconds are longer than the first pause and shorter than the second.
    private static func comeBack(_ faults: Faults, at endpoint: String) async throws {
        let planned = faults.remaining(at: endpoint)
        var (last, quietSince) = (planned, ContinuousClock.now)
        while last == planned || quietSince.duration(to: .now) < .seconds(6) {
            try await Task.sleep(for: .milliseconds(200))
            let remaining = faults.remaining(at: endpoint)
            if remaining != last { (last, quietSince) = (remaining, .now) }
        }
        faults.clear()
    }

    @Test func `a store that is down stops its app, and the other finishes`() async throws {
        try await NightWorld.with(seed: 33, customersPerApp: 5, apps: Self.apps) { world in
            // A page of notifications would be an answer.
            for endpoint in ["statuses", "notification_history"] {
                world.stores.faults.plan(.emptyServerError, times: 1_000, at: endpoint)
            }
            let night = try await world.night(1, expecting: 2)
            #expect(night.standardError.contains("acme-ios"))
            let receipts = try await world.connection.lines(
                "select count(*) > 0 from subledger.transactions where app_id = 'acme-legacy'")
            #expect(receipts == ["true"])
        }
    }

    /// The store does not say how any subscription stands in the twentieth night.
    ///
    /// The report that is asked for in the morning says so as the night's own does, and `status` too; a later night
    /// reads them all; and both reports come out again as they were.
    @Test func `what was not read is said by every report until it is read`() async throws {
        try await NightWorld.with(seed: 35, customersPerApp: 40, apps: [Self.apps[0]]) { world in
            try await world.night(1)
            world.stores.faults.plan(.emptyServerError, times: 100_000, at: "statuses")
            let (night, morning) = (NightWorld.instant(of: 20), NightWorld.instant(of: 20) + .hours(5))
            try await world.night(20, expecting: 2)
            _ = try await world.subledger("report", "--now", morning.iso8601)
            // Those that were due, whether they were asked before the store counted as down, or not at all.
            let failed = try await world.connection.lines(
                "select count(*) from subledger.subscriptions where next_check_at <= '\(night.iso8601)'")
            try #require(failed.first.flatMap { Int($0) } ?? 0 > 4)
            let date = NightWorld.businessDate(of: 20)
            #expect(try Self.unread(in: "\(world.reports)/\(date)/manifest.json") == failed)
            #expect(try Self.unread(in: "\(world.reports)/\(date).2/manifest.json") == failed)
            let status = try await world.subledger("status", "--json", "--now", morning.iso8601)
            #expect(status.standardOutput.contains("\"unread\" : \(failed[0])"))
            world.stores.faults.clear()
            try await world.night(22)
            let after = "\(world.reports)/\(NightWorld.businessDate(of: 22))/manifest.json"
            #expect(try Self.unread(in: after) == ["0"])
            for (instant, issue) in [(night, date), (morning, date + ".2")] {
                let again = "\(world.directory)/again-\(issue)"
                let exported = try await world.subledger("report", "--as-of", instant.iso8601, "--out", again)
                #expect(try Self.unread(in: "\(exported.folder)/manifest.json") == failed, "\(issue)")
            }
        }
    }

    private static func unread(in manifest: String) throws -> [String] {
        struct Manifest: Decodable {
            struct App: Decodable { let unread: Int }
            let coverage: [App]
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: manifest))
        return try JSONDecoder().decode(Manifest.self, from: data).coverage.map { "\($0.unread)" }
    }
}
