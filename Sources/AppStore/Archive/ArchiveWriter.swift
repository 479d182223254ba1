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
    mutating func note(_ compact: String, _ document: JSONDocument, chainID: String) {
        payloads.note(compact, saying: document)
        guard chains[chainID] == nil else { return }
        let spelt = Array(compact.utf8)
        guard let dot = spelt.place(of: UInt8(ascii: "."), from: 0) else { return }
        chains[chainID] = String(decoding: spelt[..<dot], as: UTF8.self)
    }

    /// The document with its rows as `ArchivedRows` spells them.
    func document() -> ArchivedDocument {
        let body = ArchivedRows.archived(source.body, chains: chains)
        return ArchivedDocument(
            endpoint: source.endpoint, body: String(decoding: body, as: UTF8.self),
            contentHash: ContentHash.of(source, without: ["signedDate", "revision"], expanding: payloads),
            chains: chains)
    }
}
