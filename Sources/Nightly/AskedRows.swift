// SPDX-License-Identifier: Apache-2.0

import Fetch
import Model
import Stores
import Transform

/// An inquiry and the rows that came of it alone: one that cannot be loaded is set aside without its neighbours.
struct AskedRows: Sendable {
    let inquiry: Inquiry
    let rows: ChunkRows

    init(_ outcome: FetchOutcome, by transform: TransformStage) {
        inquiry = outcome.inquiry
        var rows = ChunkRows(asked: inquiry.subscriptions)
        switch outcome.result {
        case .success(let answer): transform.rows(for: answer, into: &rows)
        case .failure(let failure): transform.failure(failure, of: inquiry, into: &rows)
        }
        var refused = ChunkRows()
        transform.setAside(inquiry, stage: "load", reason: "refused", Self.refusal, into: &refused)
        rows.failuresIfRefused = refused.failures
        rows.failedLooksIfRefused = refused.failedLooks
        self.rows = rows
    }

    /// The dead letter names the database's reason.
    private static let refusal = "The database refused what the store answered: see its dead letter."

    /// The memory they need, roughly: documents to be archived, each with its endpoint, hash and chains, and transactions, of
    /// which merging a chunk's rows makes a copy.
    var byteSize: Int {
        let archived = rows.answers.values.joined().reduce(0) { $0 + $1.body.utf8.count + 1_000 }
        return archived + 2 * rows.transactions.count * MemoryLayout<CanonicalTransaction>.stride
    }
}
