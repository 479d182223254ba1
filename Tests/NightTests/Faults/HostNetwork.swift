// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Four hosts in network namespaces, on a bridge with the stores and the database.
///
/// `scripts/test --faults` runs in namespaces of its own, that of processes among them, so that whatever ends the tests ends all of it.
struct HostNetwork: Sendable {
    static let stores = "10.87.0.1"
    static let database = "10.87.0.2"
    static let subnet = "10.87.0.0/24"
    static let hosts = 1...4
    /// Nobody's.
    private static let nowhere = "02:00:00:00:00:99"

    /// Makes the hosts; they are gone afterwards.
    static func with(_ body: (HostNetwork) async throws -> Void) async throws {
        guard ProcessInfo.processInfo.environment["SUBLEDGER_FAULTS_NETWORK"] == "own" else {
            throw NightError(
                "hosts need a network of the tests' own: run scripts/test --faults as root, or other attacks alone (--only kill)"
            )
        }
        let network = HostNetwork()
        try await network.lay()
        let result: Result<Void, any Error>
        do { result = .success(try await body(network)) } catch { result = .failure(error) }
        try await network.remove()
        try result.get()
    }

    private func lay() async throws {
        try await ip("link add hosts type bridge")
        for address in [Self.stores, Self.database] { try await ip("addr add \(address)/24 dev hosts") }
        try await ip("link set hosts up")
        for host in Self.hosts {
            try await ip("netns add host\(host)")
            try await ip("link add to\(host) type veth peer name eth0 netns host\(host)")
            try await ip("link set to\(host) master hosts up")
            try await ip("-n host\(host) link set lo up")
            try await ip("-n host\(host) addr add 10.87.0.1\(host)/24 dev eth0")
            try await ip("-n host\(host) link set eth0 up")
        }
    }

    private func remove() async throws {
        for host in Self.hosts { try await ip("netns del host\(host)") }
        try await ip("link del hosts")
    }

    /// What that host says to the database arrives nowhere from now on, and nobody is told.
    func cut(_ host: Int) async throws {
        try await ip("-n host\(host) neigh replace \(Self.database) lladdr \(Self.nowhere) dev eth0 nud permanent")
    }

    func heal(_ host: Int) async throws { try await ip("-n host\(host) neigh del \(Self.database) dev eth0") }

    /// The program on that host, under the host's own name.
    func start(
        on host: Int, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> RunningProgram {
        try CommandLineRun(
            product: "/usr/bin/nsenter",
            arguments: [
                "--net=/run/netns/host\(host)", "unshare", "--uts", "sh", "-c", "hostname \"$0\"; exec \"$@\"",
                "host\(host)", try InstalledProgram.path(),
            ] + arguments, environment: environment
        ).start()
    }

    private func ip(_ words: String) async throws {
        let done = try await CommandLineRun(
            product: "/usr/bin/env", arguments: ["ip"] + words.split(separator: " ").map(String.init)
        ).run()
        guard done.exitCode == 0 else { throw NightError("ip \(words): \(done.standardError)") }
    }
}
