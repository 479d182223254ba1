// SPDX-License-Identifier: Apache-2.0

import Runs
import TestSupport
import Testing

/// What is said of a standby.
@Suite struct StandbyLagTests {
    @Test(arguments: [
        (
            StandbyLag(
                lastCommitAt: "2026-03-01T02:15:00Z", secondsSinceLastCommit: 12, unappliedBytes: 0, isReceiving: true),
            "its last commit is of 2026-03-01T02:15:00Z, 12 s ago"
        ),
        (
            StandbyLag(
                lastCommitAt: "2026-03-01T02:15:00Z", secondsSinceLastCommit: 90, unappliedBytes: 4_096,
                isReceiving: false),
            "its last commit is of 2026-03-01T02:15:00Z, 90 s ago; 4096 bytes are received and not applied yet; it receives nothing "
                + "at present, and may lack what was committed since"
        ),
        (
            StandbyLag(lastCommitAt: nil, secondsSinceLastCommit: nil, unappliedBytes: 0, isReceiving: true),
            "it has received no commit since it was started"
        ),
    ])
    func `its age, what it has not applied, and that it is cut off are said`(lag: StandbyLag, words: String) {
        #expect("\(lag)" == words)
    }

    @Test func `a primary has no lag`() async throws {
        try await withTestDatabase { connection, _ in
            let lag = try await StandbyLag.read(on: connection)
            #expect(lag == nil)
        }
    }
}
