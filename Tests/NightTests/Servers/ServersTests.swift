// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import TestSupport
import Testing

/// The same life on every PostgreSQL that people have: `scripts/test --servers` brings them and names their programs in
/// `SUBLEDGER_TEST_SERVERS`, folders between colons.
@Suite(.serialized, .hangLimit) struct ServersTests {
    private static func folders() throws -> [String] {
        let named = ProcessInfo.processInfo.environment["SUBLEDGER_TEST_SERVERS"] ?? ""
        let folders = named.split(separator: ":").map(String.init)
        return try #require(
            folders.count > 1 ? folders : nil,
            "SUBLEDGER_TEST_SERVERS names no servers to compare: run scripts/test --servers")
    }

    private static func version(_ cluster: TestCluster) async throws -> String {
        let connection = try await PostgresConnection.connect(try await cluster.configuration())
        let version = try await connection.lines("select current_setting('server_version') as it").first ?? ""
        await connection.close()
        return version
    }

    /// On the first it is played for the owner of the schema, of which nothing was set, on all others for a role that owns nothing and
    /// whose DBA has set a great deal.
    @Test func `tables and files are the same on every server, whatever was set for the role`() async throws {
        var first: (version: String, picture: ServerPicture)?
        var versions: [String] = []
        for (number, folder) in try Self.folders().enumerated() {
            let cluster = TestCluster(programs: folder)
            let version = try await Self.version(cluster)
            let settings = number == 0 ? [] : ServerLife.unkindSettings + Self.settings(of: version)
            let picture = try await ServerLife.play(on: cluster, settings: settings, asOwner: number == 0)
            try Self.expectEventful(picture)
            versions.append(version)
            if let first {
                #expect(picture.differences(from: first.picture) == [], "\(version) beside \(first.version)")
            } else {
                first = (version, picture)
            }
        }
        print("played on PostgreSQL \(versions.joined(separator: ", "))")
    }

    private static func settings(of version: String) -> [String] {
        let major = Int(version.prefix { $0.isNumber }) ?? 0
        return major >= 17 ? ["transaction_timeout = '20ms'"] : []
    }

    /// Enough happened to tell servers apart.
    private static func expectEventful(_ picture: ServerPicture) throws {
        for (table, least) in [
            ("subledger.transactions", 60), ("subledger.ledger_entries", 40), ("subledger.state_changes", 40),
            ("subledger.purchase_inbox", 1), ("subledger.notification_inbox", 10), ("subledger.runs", 10),
            ("marts.paid_periods", 30), ("reports/2026-01-06.2/revenue.csv", 20), ("cite mrr", 5), ("export", 2),
        ] {
            #expect(picture.parts[table, default: []].count >= least, "\(table): \(picture.parts[table]?.count ?? -1)")
        }
    }
}
