// SPDX-License-Identifier: Apache-2.0

/// Work on the workbook, one piece after the other, beside what reads the rows and writes the other files: a workbook takes
/// more time than those.
///
/// A piece that fails fails all that come after it. So many wait at most, and memory stays flat.
package actor WorkbookQueue {
    /// Some ten thousand rows.
    private static let room = 6

    private let workbook: ReportWorkbook
    private var waiting: [Task<Void, any Error>] = []

    package init(_ workbook: ReportWorkbook) { self.workbook = workbook }

    /// Throws what an earlier piece threw, if that is known by now.
    package func add(_ work: @escaping @Sendable (ReportWorkbook) async throws -> Void) async throws {
        if waiting.count >= Self.room { try await waiting.removeFirst().value }
        waiting.append(follow(work))
    }

    /// The last piece, which all others come before.
    package func end<Result: Sendable>(
        _ work: @escaping @Sendable (ReportWorkbook) async throws -> Result
    ) -> Task<Result, any Error> {
        let last = follow(work)
        waiting.append(Task { _ = try await last.value })
        return last
    }

    /// What has not begun is left, and nothing works on the files any more.
    package func abandon() async {
        // The last first: none begins because the one before it has ended.
        for work in waiting.reversed() { work.cancel() }
        for work in waiting { _ = await work.result }
        waiting = []
    }

    private func follow<Result: Sendable>(
        _ work: @escaping @Sendable (ReportWorkbook) async throws -> Result
    ) -> Task<Result, any Error> {
        Task { [workbook, before = waiting.last] in
            try await before?.value
            try Task.checkCancellation()
            return try await work(workbook)
        }
    }
}
