// SPDX-License-Identifier: Apache-2.0

import Model
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
        guard chains[chainID] == nil, let dot = compact.utf8.firstIndex(of: UInt8(ascii: ".")) else { return }
        chains[chainID] = String(compact[..<dot])
    }

    /// The document with each known header replaced by `chain:` and its chain's id.
    func document() -> ArchivedDocument {
        let body = chains.reduce(source.body) { body, chain in
            body.replacing(chain.value, with: ArchivedRows.mark + chain.key)
        }
        return ArchivedDocument(
            endpoint: source.endpoint, body: String(decoding: body, as: UTF8.self),
            contentHash: ContentHash.of(source.body, without: ["signedDate", "revision"], expanding: payloads),
            chains: chains)
    }
}

/// Gives archived rows their certificate headers back.
package enum ArchivedRows {
    static let mark = "chain:"

    /// The document as it was received.
    package static func restored(_ body: String, chains: [String: String]) -> String {
        let bytes = chains.reduce(Array(body.utf8)) { bytes, chain in
            bytes.replacing(mark + chain.key, with: chain.value)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Replaces the first part of each JSON string that begins with it and a dot. Looks only behind quotation marks,
    /// which are few where the text to find is long.
    fileprivate func replacing(_ part: String, with other: String) -> [UInt8] {
        let (quote, wanted, put) = (UInt8(ascii: "\""), Array((part + ".").utf8), Array((other + ".").utf8))
        var (result, kept): ([UInt8], Int) = ([], 0)
        var position = 0
        while let found = self[position...].firstIndex(of: quote) {
            position = found + 1
            guard position + wanted.count <= count, self[position..<(position + wanted.count)] == wanted[...] else {
                continue
            }
            result += self[kept..<position]
            result += put
            position += wanted.count
            kept = position
        }
        return result + self[kept...]
    }
}
