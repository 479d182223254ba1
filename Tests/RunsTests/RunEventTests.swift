// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import TestSupport
import Testing

@testable import Runs

/// The last event of a run: what it came to, in numbers.
@Suite struct RunEventTests {
    private static let run = Run(
        id: 7, job: .nightly, now: Instant(micros: 1_767_852_000_000_000), generation: 1, isResumed: false)

    private static func event(_ outcome: String) -> RunEvent {
        RunEvent(run: run, outcome: outcome, counts: ["due": 12, "ended": 0], seconds: ["report": 1.25])
    }

    private static func line(_ outcome: String) throws -> String {
        let log = RecordedLog()
        event(outcome).log(to: log.logger)
        return try #require(log.lines.first)
    }

    @Test func `it names run, job and outcome, what is not zero, and the seconds of each stage`() {
        let metadata = Self.event("done").metadata
        #expect(metadata["event"] == "run_ended" && metadata["job"] == "nightly" && metadata["outcome"] == "done")
        #expect(metadata["run"] == .stringConvertible(7))
        #expect(metadata["counts"] == .dictionary(["due": .stringConvertible(12)]))
        #expect(metadata["seconds"] == .dictionary(["report": .stringConvertible(1.25)]))
    }

    @Test func `a run that is not done is a warning`() throws {
        #expect(try Self.line("done").hasPrefix("info the run ended"))
        #expect(try Self.line("partial").hasPrefix("warning the run ended"))
        #expect(BrokenRun.resumable.outcome == "interrupted" && BrokenRun.failed(counts: [:]).outcome == "failed")
    }

    @Test func `stages add up, also where they throw`() async throws {
        let stages = StageSeconds()
        for _ in 0..<2 {
            await #expect(throws: NothingToDo.self) {
                try await stages.measure("ask") {
                    try await Task.sleep(for: .milliseconds(10))
                    throw NothingToDo()
                }
            }
        }
        #expect(stages.seconds.keys.sorted() == ["ask"] && stages.seconds["ask", default: 0] >= 0.02)
    }
}
