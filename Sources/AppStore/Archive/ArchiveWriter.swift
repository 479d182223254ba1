// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// Makes the archived form of a document whose rows are signed, so that row and signature can be verified again later.
struct ArchiveWriter {
    private let source: StoreAnswer.Document
    /// Header by chain id, as it was spelt.
    private var chains: [String: String] = [:]
    /// What the signed texts say.
    private var payloads = SignedTexts()

    init(_ document: StoreAnswer.Document) { source = document }

    /// A row that was verified.
    mutating func note<Payload>(_ compact: String, _ row: RowVerifier.Verified<Payload>) {
        payloads.note(compact, saying: row.document)
        if chains[row.chainID] == nil { chains[row.chainID] = row.spelledHeader }
    }

    /// The document with its rows as `ArchivedRows` spells them.
    func document() -> ArchivedDocument {
        let body = ArchivedRows.archived(source.body, chains: chains)
        return ArchivedDocument(
            endpoint: source.endpoint, body: String(decoding: body, as: UTF8.self),
            answerHash: ContentHash.of(source, without: ["signedDate", "revision"], expanding: payloads),
            chains: chains)
    }
}
