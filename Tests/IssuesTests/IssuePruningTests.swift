// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// Folders that have outlived their time go, their records stay, and nothing else moves.
@Suite struct IssuePruningTests {
    private struct Lost: Error {}

    private static let retention = IssueRetention(daily: .days(1), monthly: nil)

    @Test func `an issue goes once it is recorded, an interrupted pruning goes on, and the proof counts both`()
        async throws
    {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { place in
                let directory = place + "/reports"
                var paths: [String] = []
                for (seal, day) in [(Int64(1), "2026-02-06"), (2, "2026-02-07"), (3, "2026-02-08")] {
                    try await world.night(seal, for: day, issued: false)
                    let request = ReportRequest(
                        seal: seal, runID: seal, businessDate: try #require(BusinessDate(day)),
                        asOf: try #require(Instant(iso8601: "\(day)T23:00:00Z")), directory: directory)
                    paths.append(try await ReportStage().issue(on: world.connection, request: request).path)
                }
                let manager = FileManager.default
                for (path, mode) in [(paths[0], 0o750), (paths[0] + "/manifest.json", 0o640)] {
                    #expect(try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
                }
                let today = try #require(BusinessDate("2026-06-01"))
                // Who has lost the turn to write reports takes nothing away.
                let late = IssuePruner(connection: world.connection, directory: directory) { _ in throw Lost() }
                await #expect(throws: Lost.self) { try await late.prune(Self.retention, on: today) }
                #expect(paths.allSatisfy(manager.fileExists))
                // Killed between the record and the folder.
                try await world.connection.script("insert into subledger.pruned_issues (run_id) values (1)")
                let pruner = IssuePruner(connection: world.connection, directory: directory) { _ in }
                #expect(try await pruner.prune(Self.retention, on: today) == 2)
                #expect(try await pruner.prune(Self.retention, on: today) == 0)
                #expect(paths.map(manager.fileExists) == [false, false, true])
                let proof = try await IssueVerifier(connection: world.connection, directory: directory).verify()
                #expect(proof.findings == [] && proof.issueCount == 1 && proof.prunedCount == 2)
                let records = try await world.connection.lines(
                    """
                    select issued.run_id, pruned.pruned_at is not null, length(issued.manifest_sha256)
                    from subledger.report_issues issued left join subledger.pruned_issues pruned using (run_id) order by 1
                    """)
                #expect(records == ["1|true|64", "2|true|64", "3|false|64"])
            }
        }
    }
}
