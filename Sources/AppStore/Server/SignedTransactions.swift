// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// The verified transactions of one answer, each with the document that it came in.
///
/// One may come several times: the image that was signed last counts.
struct SignedTransactions {
    private(set) var all: [TransactionPayload] = []
    /// In which document each of them is.
    private var documents: [Int] = []

    mutating func append(_ transaction: TransactionPayload, document: Int) {
        all.append(transaction)
        documents.append(document)
    }

    /// The newest image of each, by transaction id.
    var newest: [TransactionPayload] { newestPlaces.map { all[$0] } }

    /// By transaction id: of the document with its newest image.
    func documentHashes(in archive: [ArchivedDocument]) -> [String: String] {
        let pairs = newestPlaces.compactMap { place in
            all[place].transactionID.map { ($0, archive[documents[place]].answerHash) }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private var newestPlaces: [Int] {
        var newest: [String: Int] = [:]
        for (place, transaction) in all.enumerated() {
            let id = transaction.transactionID ?? ""
            if let known = newest[id], (all[known].signedDate ?? 0) >= (transaction.signedDate ?? 0) { continue }
            newest[id] = place
        }
        return newest.sorted { $0.key < $1.key }.map(\.value)
    }
}
