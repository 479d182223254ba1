// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// No receipt, secret, key or token leaves the process: not in a log, an error, a report, a table for people, or argv.
@Suite(.serialized, .hangLimit) struct CanaryTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
        .play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .refreshToken),
        .play(id: "acme-tablet", packageName: "com.acme.tablet", api: .v1, grant: .serviceAccount),
    ]
    /// What the simulated Google Play says of people, and how its access tokens begin.
    private static let personal = ["erika.mustermann", "Mustermann", "94043", "ya29."]

    @Test func `nothing secret is found in what a night leaves behind`() async throws {
        try await NightWorld.with(seed: 13, customersPerApp: 20, apps: Self.apps) { world in
            let watch = Task { try await Self.argumentsOfEverything() }
            var said = Self.words(try await world.night(1, "--verbose"))
            watch.cancel()
            let arguments = try await watch.value
            #expect(arguments.contains("nightly\0--now"), "no argument of the night was seen")
            said += arguments
            let canaries = try await Self.canaries(of: world)
            #expect(canaries.count > 15)
            world.stores.faults.plan(.malformed, times: 3, at: "verify_receipt")
            world.stores.faults.plan(.emptyServerError, times: 2, at: "statuses")
            world.stores.faults.plan(.truncated, times: 2, at: "statuses")
            for endpoint in ["subscriptions", "orders", "voided_purchases", "token"] {
                world.stores.faults.plan(.truncated, times: 1, at: endpoint)
                world.stores.faults.plan(.emptyServerError, times: 1, at: endpoint)
            }
            said += Self.words(
                try await world.subledger("nightly", "--now", NightWorld.instant(of: 5).iso8601, "--verbose"))
            world.stores.faults.plan(.unauthorized, times: 50, at: "statuses")
            world.stores.faults.plan(.invalidGrant, times: 2, at: "token")
            let secret = world.directory + "/store/shared-secret-acme-legacy"
            try "another-canary-secret\n".write(toFile: secret, atomically: false, encoding: .utf8)
            said += Self.words(
                try await world.subledger("nightly", "--now", NightWorld.instant(of: 9).iso8601, "--verbose"))
            said += Self.words(try await world.subledger("status"))
            said += Self.words(try await world.subledger("explain", "acme-legacy"))
            let token = try await world.connection.lines(
                "select store_key from subledger.subscriptions where app_id = 'acme-android' order by 1 limit 1")
            said += Self.words(try await world.subledger("explain", token.first ?? "", "--answers"))
            said += try await Self.tables(of: world)
            said += try Self.files(below: world.reports)
            #expect(said.contains("acme-legacy"), "nothing was said at all")
            for canary in canaries + Self.personal + ["another-canary-secret", "Bearer ", "eyJ"] {
                #expect(!said.contains(canary), "a canary beginning with \(canary.prefix(4)) was found")
            }
        }
    }

    /// The arguments of every process of this machine, looked at again and again until cancelled.
    private static func argumentsOfEverything() async throws -> String {
        var seen: Set<String> = []
        while !Task.isCancelled {
            for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int(process) != nil {
                guard let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else { continue }
                let text = String(decoding: line, as: UTF8.self)
                if text.contains("subledger") { seen.insert(text) }
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return seen.joined(separator: "\n")
    }

    private static func words(_ result: CommandLineRun.Result) -> String {
        result.standardOutput + result.standardError
    }

    /// Every receipt, the shared secret, and a line of each private key.
    private static func canaries(of world: NightWorld) async throws -> [String] {
        let receipts = try await world.connection.lines("select receipt from subledger.receipts")
        let secret = try String(contentsOfFile: world.directory + "/store/shared-secret-acme-legacy", encoding: .utf8)
        let key = try String(contentsOfFile: world.directory + "/store/AuthKey-acme-ios.p8", encoding: .utf8)
        let lines = key.split(separator: "\n").filter { !$0.hasPrefix("-----") }.map(String.init)
        let tokens = try await world.connection.lines(
            "select store_key from subledger.subscriptions where store = 'google_play'")
        return receipts + lines + tokens + [secret.trimmingCharacters(in: .whitespacesAndNewlines)]
            + (try playSecrets(of: world))
    }

    /// The client's secret, the refresh token, and the lines of the service account's key.
    private static func playSecrets(of world: NightWorld) throws -> [String] {
        var secrets: [String] = []
        for line in world.stores.appsConfiguration().split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "client_secret_file", "refresh_token_file":
                let text = try String(contentsOfFile: parts[1], encoding: .utf8)
                secrets.append(text.trimmingCharacters(in: .whitespacesAndNewlines))
            case "service_account_file":
                let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: parts[1])))
                let key = (json as? [String: Any])?["private_key"] as? String ?? ""
                secrets += key.split(separator: "\n").filter { !$0.hasPrefix("-----") }.map(String.init)
            default: continue
            }
        }
        guard secrets.count > 10 else { throw NightError("the secrets of Google Play were not found") }
        return secrets
    }

    /// What people read of the tables: everything but the receipts themselves and the keys that the store is asked with;
    /// and the archived answers of Google Play, from which tokens and persons are cut.
    private static func tables(of world: NightWorld) async throws -> String {
        var text = ""
        for table in [
            "runs", "run_apps", "run_chunks", "run_hosts", "deferred_checks", "dead_letters", "subscriptions",
            "transactions", "state_changes",
        ] {
            text += try await world.connection.lines(
                "select to_jsonb(t) - 'store_key' from subledger.\(table) t"
            ).joined()
        }
        text += try await world.connection.lines(
            "select body from subledger.store_answers where app_id in ('acme-android', 'acme-tablet')"
        ).joined()
        return text
    }

    private static func files(below folder: String) throws -> String {
        let found = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return try found.filter { $0.hasSuffix(".csv") || $0.hasSuffix(".html") || $0.hasSuffix(".json") }
            .map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }.joined()
    }
}
