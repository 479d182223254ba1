// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// No receipt, secret, key or token leaves the process: not in a log, an error, a report, a table for people, or argv.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CanaryTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
    ]

    @Test func nothingSecretIsFoundInWhatANightLeavesBehind() async throws {
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
            said += Self.words(
                try await world.subledger("nightly", "--now", NightWorld.instant(of: 5).iso8601, "--verbose"))
            world.stores.faults.plan(.unauthorized, times: 50, at: "statuses")
            let secret = world.directory + "/store/shared-secret-acme-legacy"
            try "another-canary-secret\n".write(toFile: secret, atomically: false, encoding: .utf8)
            said += Self.words(
                try await world.subledger("nightly", "--now", NightWorld.instant(of: 9).iso8601, "--verbose"))
            said += Self.words(try await world.subledger("status"))
            said += Self.words(try await world.subledger("explain", "acme-legacy"))
            said += try await Self.tables(of: world)
            said += try Self.files(below: world.reports)
            #expect(said.contains("acme-legacy"), "nothing was said at all")
            for canary in canaries + ["another-canary-secret", "Bearer ", "eyJ"] {
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
        return receipts + lines + [secret.trimmingCharacters(in: .whitespacesAndNewlines)]
    }

    /// What people read of the tables: everything but the receipts themselves and the archived answers.
    private static func tables(of world: NightWorld) async throws -> String {
        var text = ""
        for table in [
            "runs", "run_apps", "run_chunks", "dead_letters", "subscriptions", "transactions", "state_changes",
        ] {
            text += try await world.connection.lines("select row_to_json(t) from subledger.\(table) t").joined()
        }
        return text
    }

    private static func files(below folder: String) throws -> String {
        let found = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return try found.filter { $0.hasSuffix(".csv") || $0.hasSuffix(".html") || $0.hasSuffix(".json") }
            .map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }.joined()
    }
}
