// SPDX-License-Identifier: Apache-2.0

import Foundations
import Signing
import Stores

/// How signed rows are spelt in the archive: `chain:ID.{"transactionId":…}.signature`.
///
/// The certificate header, which all rows share, is put aside once and named, and the payload is decoded: it can be
/// read, and takes half the place. Nothing is lost: base64url has one spelling of what it represents.
package enum ArchivedRows {
    private static let mark = "chain:"
    private static let (dot, brace) = (UInt8(ascii: "."), UInt8(ascii: "{"))

    /// `chains`: header by chain id.
    ///
    /// Rows with other headers stay as they are.
    static func archived(_ body: [UInt8], chains: [String: String]) -> [UInt8] {
        chains.reduce(body) { body, chain in
            body.replacingTexts(after: chain.value + ".") { row in
                Array("\(mark)\(chain.key).".utf8) + decoded(row)
            }
        }
    }

    /// The document as it was received.
    package static func restored(_ body: String, chains: [String: String]) -> String {
        let bytes = chains.reduce(Array(body.utf8)) { bytes, chain in
            bytes.replacingTexts(after: "\(mark)\(chain.key).") { row in
                Array("\(chain.value).".utf8) + encoded(row)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Payload and signature, the payload decoded where it is an object's JSON.
    private static func decoded(_ row: ArraySlice<UInt8>) -> [UInt8] {
        guard let end = row.lastIndex(of: dot), let json = Base64URL.decode(row[..<end]), json.first == brace,
            String(validating: json, as: UTF8.self) != nil
        else { return Array(row) }
        return JSONEscapes.escaped(json) + row[end...]
    }

    private static func encoded(_ row: ArraySlice<UInt8>) -> [UInt8] {
        guard row.first == brace else { return Array(row) }
        let text = JSONEscapes.resolved(row)
        guard let end = text.lastIndex(of: dot) else { return Array(row) }
        return Array(Base64URL.encode(Array(text[..<end])).utf8) + text[end...]
    }
}

extension [UInt8] {
    /// Replaces each JSON text that begins so; the rest of the text is given, as it is spelt.
    ///
    /// Looks only behind quotation marks, which are few where the text to find is long.
    fileprivate func replacingTexts(
        after beginning: String, by replacement: (ArraySlice<UInt8>) -> [UInt8]
    ) -> [UInt8] {
        let (quote, wanted) = (UInt8(ascii: "\""), Array(beginning.utf8))
        var (result, copiedUpTo): ([UInt8], Int) = ([], 0)
        var position = 0
        while let found = place(of: quote, from: position) {
            position = found + 1
            guard contains(wanted, at: position) else { continue }
            let end = endOfText(from: position + wanted.count) ?? count
            result += self[copiedUpTo..<position]
            result += replacement(self[(position + wanted.count)..<end])
            (copiedUpTo, position) = (end, Swift.min(end + 1, count))
        }
        return result + self[copiedUpTo...]
    }
}
