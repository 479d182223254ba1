// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Stores
import Transform

/// The rows of a chunk as a first night finds them.
struct MadeChunk {
    let rows: ChunkRows

    /// What the answers about these customers come to, without the answers themselves.
    init(_ answers: AppStoreAnswers, customers: ClosedRange<Int>, transactions: Int) throws {
        let stage = TransformStage(store: answers.store, now: AppStoreAnswers.now, defaultCountry: nil)
        var rows = ChunkRows()
        for customer in customers {
            let answer = try answers.first(of: customer, transactions: transactions)
            stage.rows(for: ReadAnswer(answer, by: answers.store), into: &rows)
        }
        rows.deduplicate()
        rows.answers = [:]
        self.rows = rows
    }
}
