// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// A wrong setting is not a good night: its app stops with the setting's name, nothing is booked or set aside, and once it
/// is put right the next run, be it an hour later, asks everything.
@Suite(.serialized, .hangLimit) struct WrongSettingTests {
    private static let server = SimulatorConfiguration.App.server(id: "acme-ios", bundleID: "com.acme.app")
    private static let receipts = SimulatorConfiguration.App.receipt(id: "acme-legacy", bundleID: "com.acme.old")
    private static let play = SimulatorConfiguration.App.play(id: "acme-android", packageName: "com.acme.app")

    /// A first night with the wrong setting, the same an hour later with the right one.
    private static func play(
        _ app: SimulatorConfiguration.App, wrong: (NightWorld) -> [(String, String)], naming words: String...
    ) async throws {
        try await NightWorld.with(seed: 51, customersPerApp: 40, apps: [app]) { world in
            let now = NightWorld.instant(of: 1)
            try await world.moveOn(to: now)
            let before = try await world.backlog(of: app.id, at: now)
            #expect(before.due >= 20 && before.neverAnswered == before.due, "too few to prove anything")
            try await world.with(wrong(world)) {
                let night = try await world.runAgain(at: now, "--no-reports")
                #expect(night.exitCode == 1, "\(night.standardError.suffix(2_000))")
                for word in words + [app.id] {
                    #expect(night.standardError.contains(word), "the log does not say \(word)")
                    #expect(night.standardOutput.contains(word), "the summary does not say \(word)")
                }
            }
            #expect(try await world.written(of: app.id) == ["0|0|0|0"])
            #expect(try await world.backlog(of: app.id, at: now) == before)
            let mended = try await world.runAgain(at: now + .hours(1), "--no-reports")
            #expect(mended.exitCode == 0, "\(mended.standardError.suffix(2_000))")
            #expect(try await world.backlog(of: app.id, at: now).neverAnswered == 0)
            try await world.expectTables(.disclosed, "after the mend")
        }
    }

    @Test func `B11: a wrong root certificate stops its app with the setting's name`() async throws {
        try await Self.play(
            Self.server, wrong: { [("\($0.directory)/store/store-root.der", "\($0.directory)/store/ca.pem")] },
            naming: "root_certificate_file")
    }

    @Test func `B11: a wrong bundle_id of receipts stops their app with the setting's name`() async throws {
        try await Self.play(
            Self.receipts, wrong: { _ in [("bundle_id: com.acme.old", "bundle_id: com.acme.older")] },
            naming: "are about another app", "bundle_id")
    }

    @Test func `B11: a wrong bundle_id of the server API stops its app with the setting's name`() async throws {
        try await Self.play(
            Self.server, wrong: { _ in [("bundle_id: com.acme.app", "bundle_id: com.acme.apps")] }, naming: "bundle_id")
    }

    @Test func `B11: a wrong package_name stops its app with the setting's name`() async throws {
        try await Self.play(
            Self.play, wrong: { _ in [("package_name: com.acme.app", "package_name: com.acme.apps")] },
            naming: "package_name")
    }

    @Test(arguments: ["acme-ios", "acme-legacy"])
    func `B11: a login page in place of the store stops its app with the setting's name`(id: String) async throws {
        let portal = try LoopbackServer { _, _ in
            .init(200, "<!DOCTYPE html><title>Wi-Fi</title>", headers: [("Content-Type", "text/html")])
        }
        let app = id == "acme-ios" ? Self.server : Self.receipts
        try await Self.play(
            app, wrong: { [("url: \($0.stores.baseURL)", "url: \(portal.url)")] }, naming: "login page", "url")
    }

    /// Three nights with the wrong root, all asked so that there are enough to tell: nobody loses access, what the store's
    /// notifications told is not lost, and the next night's books are those of nights that were never wrong.
    @Test func `B11: nights with a wrong root take nobody's access and lose no store event`() async throws {
        let app = SimulatorConfiguration.App.server(
            id: "acme-ios", bundleID: "com.acme.app", hasNotificationURL: true)
        try await NightWorld.with(seed: 52, customersPerApp: 60, apps: [app, Self.receipts]) { world in
            for number in 1...3 { try await world.night(number, "--no-reports") }
            let before = try await world.written(of: "acme-ios")
            let root = ("\(world.directory)/store/store-root.der", "\(world.directory)/store/ca.pem")
            try await world.with([root]) {
                for number in 4...6 {
                    let night = try await world.night(number, "--all", "--no-reports", expecting: 2)
                    #expect(night.standardOutput.contains("root_certificate_file"))
                }
            }
            #expect(try await world.written(of: "acme-ios") == before)
            let ended = try await world.connection.lines(
                """
                select count(*) from subledger.subscription_access
                where app_id = 'acme-ios' and state in ('trial', 'active') and not coalesce(
                    access_until > '\(NightWorld.instant(of: 5).iso8601)',
                    false) and expires_at > '\(NightWorld.instant(of: 4).iso8601)'
                """)
            #expect(ended == ["0"])
            try await world.night(7, "--no-reports")
            try await world.expectTables(.disclosed, "after the mend")
        }
    }

    /// Fewer than twenty may be what they seem: set aside each, answered for all the same, and the sentence names the certificate.
    @Test func `B11: a handful under a wrong root are set aside, and asked again by the next run`() async throws {
        try await NightWorld.with(seed: 53, customersPerApp: 4, apps: [Self.server]) { world in
            let now = NightWorld.instant(of: 1)
            try await world.moveOn(to: now)
            let root = ("\(world.directory)/store/store-root.der", "\(world.directory)/store/ca.pem")
            try await world.with([root]) {
                let night = try await world.runAgain(at: now, "--no-reports")
                #expect(night.exitCode == 2)
                let letters = try await world.connection.lines(
                    "select count(*) > 0, bool_and(detail like '%certificate%') from subledger.dead_letters")
                #expect(letters == ["true|true"])
            }
            let mended = try await world.runAgain(at: now + .hours(1), "--no-reports")
            #expect(mended.exitCode == 0, "\(mended.standardError.suffix(2_000))")
            #expect(try await world.backlog(of: "acme-ios", at: now).neverAnswered == 0)
        }
    }

    @Test
    func `B11: with connections cut, what was read is booked, the rest told and asked an hour later`() async throws {
        try await NightWorld.with(seed: 54, customersPerApp: 120, apps: [Self.server]) { world in
            let now = NightWorld.instant(of: 1)
            try await world.moveOn(to: now)
            let port = try #require(world.stores.baseURL.split(separator: ":").last.flatMap { UInt16($0) })
            let proxy = try CuttingProxy(toPort: port)
            proxy.cutEach(after: 40_000)
            // A store that answers between the cuts is not down, however long a slow machine takes to connect again.
            let settings = [
                ("base_url: \(world.stores.baseURL)", "base_url: https://127.0.0.1:\(proxy.port)"),
                ("wait_for_store: 1s", "wait_for_store: 5m"),
            ]
            try await world.with(settings) {
                let night = try await world.runAgain(at: now, "--no-reports")
                #expect(night.exitCode == 2, "\(night.standardError.suffix(2_000))")
                #expect(night.standardError.contains(" failed"))
                #expect(night.standardError.contains("run the night again"))
            }
            let left = try await world.backlog(of: "acme-ios", at: now)
            #expect(left.neverAnswered > 4 && left.due >= left.neverAnswered)
            let again = try await world.runAgain(at: now + .hours(1), "--no-reports")
            #expect(again.exitCode == 0, "\(again.standardError.suffix(2_000))")
            #expect(try await world.backlog(of: "acme-ios", at: now).neverAnswered == 0)
        }
    }
}
