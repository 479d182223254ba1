// SPDX-License-Identifier: Apache-2.0

import Stores

/// Makes the archived form of a document whose rows are signed: the certificate header that all rows share is put aside
/// once and named in its place, so that row and signature can be verified again later.
struct ArchiveWriter {
    private let source: StoreAnswer.Document
    /// Header by chain id, as it was spelt.
    private var chains: [String: String] = [:]
    /// What the signed texts say.
    private var payloads: [String: [UInt8]] = [:]

    init(_ document: StoreAnswer.Document) { source = document }

    /// A row that was verified.
    mutating func note(_ compact: String, json: [UInt8], chainID: String) {
        payloads[compact] = json
        let header = String(compact.prefix { $0 != "." })
        if chains[chainID] == nil { chains[chainID] = header }
    }

    /// The document with each known header replaced by `chain:` and its chain's id.
    func document() -> ArchivedDocument {
        var body = String(decoding: source.body, as: UTF8.self)
        for (id, header) in chains {
            body = body.replacing("\"\(header).", with: "\"\(ArchivedRows.mark)\(id).")
        }
        return ArchivedDocument(
            endpoint: source.endpoint, body: body,
            contentHash: ContentHash.of(source.body, without: ["signedDate", "revision"], expanding: payloads),
            chains: chains)
    }
}

/// Gives archived rows their certificate headers back.
package enum ArchivedRows {
    static let mark = "chain:"

    /// The document as it was received.
    package static func restored(_ body: String, chains: [String: String]) -> String {
        chains.reduce(body) { text, chain in text.replacing("\"\(mark)\(chain.key).", with: "\"\(chain.value).") }
    }
}
