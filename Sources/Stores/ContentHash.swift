// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing

/// Shows whether an answer holds anything new: a digest of its content without what changes on every reading, and
/// whatever the order of its arrays and members.
package enum ContentHash {
    /// SHA-256, hex. Signed texts count by what they say. A body that is no JSON is hashed as it is.
    package static func of(
        _ body: [UInt8], without dropped: Set<String>, expanding payloads: SignedTexts = SignedTexts()
    ) -> String {
        guard let document = JSONDocument(body) else { return Hex.encode(SHA256.digest(body)) }
        let content = Content(document: document, dropped: dropped, payloads: payloads)
        return Hex.encode(SHA256.digest(content.canonical(document.root)))
    }

    /// Writes values in one form only: each text with its length before it, members and elements sorted.
    private struct Content {
        let document: JSONDocument
        let dropped: Set<String>
        let payloads: SignedTexts

        func canonical(_ value: JSONDocument.Value) -> [UInt8] {
            var written: [UInt8] = []
            append(value, to: &written)
            return written
        }

        private func append(_ value: JSONDocument.Value, to written: inout [UInt8]) {
            switch value {
            case .text(let quoted): append(text: document.content(ofText: quoted), to: &written)
            case .scalar(let place): Self.append(framed: Self.canonical(scalar: document.bytes[place]), to: &written)
            case .array(let elements): Self.append("[", elements.map(canonical), to: &written)
            case .object(let members):
                let kept = members.filter { !dropped.contains($0.name) }
                Self.append("{", kept.map(canonical), to: &written)
            }
        }

        private func canonical(_ member: JSONDocument.Member) -> [UInt8] {
            var written: [UInt8] = []
            Self.append(framed: member.name.utf8, to: &written)
            append(member.value, to: &written)
            return written
        }

        private func append(text: ArraySlice<UInt8>, to written: inout [UInt8]) {
            guard let json = payloads.json(of: text), let inner = JSONDocument(json)
            else { return Self.append(framed: text, to: &written) }
            Content(document: inner, dropped: dropped, payloads: payloads).append(inner.root, to: &written)
        }

        /// A number as Foundation writes its value: 5e-1 as 0.5.
        private static func canonical(scalar: ArraySlice<UInt8>) -> [UInt8] {
            let isShortInteger = scalar.count < 18 && scalar.allSatisfy { (0x30...0x39).contains($0) }
            return isShortInteger ? Array(scalar) : words[Array(scalar)] ?? described(scalar)
        }

        private static let words = Dictionary(
            uniqueKeysWithValues: ["true", "false", "null"].map { (Array($0.utf8), described(Array($0.utf8)[...])) })

        private static func described(_ scalar: ArraySlice<UInt8>) -> [UInt8] {
            let list = Data([UInt8(ascii: "[")] + scalar + [UInt8(ascii: "]")])
            let decoded = (try? JSONSerialization.jsonObject(with: list)) as? [Any]
            return decoded?.first.map { Array("\($0)".utf8) } ?? Array(scalar)
        }

        private static func append(_ mark: Unicode.Scalar, _ parts: [[UInt8]], to written: inout [UInt8]) {
            written.append(UInt8(ascii: mark))
            written += String(parts.count).utf8
            written.append(UInt8(ascii: ":"))
            for part in parts.sorted(by: isBefore) { written += part }
        }

        private static func append(framed bytes: some Collection<UInt8>, to written: inout [UInt8]) {
            written += String(bytes.count).utf8
            written.append(UInt8(ascii: ":"))
            written += bytes
        }

        /// Bytewise; the standard library's own comparison of sequences takes several times as long.
        private static func isBefore(_ left: [UInt8], _ right: [UInt8]) -> Bool {
            let difference = (0..<min(left.count, right.count)).first { left[$0] != right[$0] }
            return difference.map { left[$0] < right[$0] } ?? (left.count < right.count)
        }
    }
}
