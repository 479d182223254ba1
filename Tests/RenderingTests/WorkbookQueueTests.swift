// SPDX-License-Identifier: Apache-2.0

import Model
import Synchronization
import Testing
import TestSupport

@testable import Rendering

/// The workbook is written beside the other files: in order, and not on after a failure.
@Suite struct WorkbookQueueTests {
    private struct Refused: Error {}

    private final class Log: Sendable {
        private let pieces = Mutex<[Int]>([])
        var all: [Int] { pieces.withLock { $0 } }

        func add(_ piece: Int) { pieces.withLock { $0.append(piece) } }
    }

    private func queue() throws -> WorkbookQueue {
        let report = ReportIdentity(
            seal: 1, runID: 1, businessDate: try #require(BusinessDate("2026-02-06")),
            asOf: try #require(Instant(iso8601: "2026-02-07T02:00:00Z")), timeZone: "UTC", firstDate: nil,
            lastDate: nil, notes: nil)
        return WorkbookQueue(ReportWorkbook(report, in: "/nowhere"))
    }

    @Test func `pieces come one after the other, however many wait`() async throws {
        let queue = try queue()
        let log = Log()
        for piece in 0..<40 {
            try await queue.add { _ in
                // An earlier piece takes longer than a later one.
                try await Task.sleep(for: .microseconds((40 - piece) * 50))
                log.add(piece)
            }
        }
        #expect(try await queue.end { _ in log.all }.value == Array(0..<40))
    }

    @Test func `a piece that fails fails what comes after it`() async throws {
        let queue = try queue()
        let log = Log()
        try await queue.add { _ in log.add(0) }
        try await queue.add { _ in throw Refused() }
        let last = await queue.end { _ in log.add(2) }
        await #expect(throws: Refused.self) { try await last.value }
        #expect(log.all == [0])
    }

    @Test func `many pieces learn of a failure before the last one`() async throws {
        let queue = try queue()
        try await queue.add { _ in throw Refused() }
        await #expect(throws: Refused.self) {
            for _ in 0..<40 { try await queue.add { _ in } }
        }
        await queue.abandon()
    }

    @Test func `once it is abandoned nothing is worked on any more`() async throws {
        let queue = try queue()
        let log = Log()
        try await queue.add { _ in
            log.add(0)
            // Until it is abandoned.
            try? await Task.sleep(for: .seconds(3_600))
        }
        try await queue.add { _ in log.add(1) }
        try await waitUntil { log.all == [0] }
        await queue.abandon()
        try await Task.sleep(for: .milliseconds(50))
        #expect(log.all == [0])
    }
}
