// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Signing

/// Shows whether an answer holds anything new: a digest of its content without what changes on every reading, and
/// whatever the order of its arrays and members.
package enum ContentHash {
    /// The first 128 bits of its SHA-256, hex: it names an answer among those of one subscription, and half its length
    /// saves each archived answer 64 bytes and each image 32.
    ///
    /// Signed texts count by what they say. A body that is no JSON is hashed as it is.
    package static func of(
        _ body: [UInt8], without dropped: Set<String>, expanding payloads: SignedTexts = SignedTexts()
    ) -> String {
        of(JSONDocument(body), in: body, without: dropped, expanding: payloads)
    }

    /// The same of a document.
    package static func of(
        _ source: StoreAnswer.Document, without dropped: Set<String>, expanding payloads: SignedTexts = SignedTexts()
    ) -> String {
        of(source.json, in: source.body, without: dropped, expanding: payloads)
    }

    private static func of(
        _ document: JSONDocument?, in body: [UInt8], without dropped: Set<String>, expanding payloads: SignedTexts
    ) -> String {
        guard let document else { return digest(body) }
        let content = Content(document: document, dropped: dropped, payloads: payloads)
        return digest(content.canonical(document.root))
    }

    private static func digest(_ bytes: [UInt8]) -> String { Hex.encode(Array(SHA256.digest(bytes).prefix(16))) }

    /// Writes values in one form only: each text with its length before it, members and elements sorted.
    private struct Content {
        let document: JSONDocument
        let dropped: Set<String>
        let payloads: SignedTexts

        func canonical(_ value: JSONDocument.Value) -> [UInt8] {
            var written: [UInt8] = []
            written.reserveCapacity(document.bytes.count)
            append(value, to: &written)
            return written
        }

        private func append(_ value: JSONDocument.Value, to written: inout [UInt8]) {
            switch value {
            case .text(let quoted): append(text: document.content(ofText: quoted), to: &written)
            case .scalar(let place): Self.append(framed: Self.canonical(scalar: document.bytes[place]), to: &written)
            case .array(let elements):
                Self.append(list: "[", elements, to: &written) { element, written in append(element, to: &written) }
            case .object(let members):
                let included = members.filter { !dropped.contains($0.name) }
                Self.append(list: "{", included, to: &written) { member, written in
                    Self.append(framed: member.name.utf8, to: &written)
                    append(member.value, to: &written)
                }
            }
        }

        private func append(text: ArraySlice<UInt8>, to written: inout [UInt8]) {
            guard let inner = payloads.document(saidBy: text)
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

        /// Writes the parts as they come, and moves them where they are out of order.
        private static func append<Part>(
            list mark: Unicode.Scalar, _ parts: [Part], to written: inout [UInt8],
            _ append: (Part, inout [UInt8]) -> Void
        ) {
            written.append(UInt8(ascii: mark))
            written += String(parts.count).utf8
            written.append(UInt8(ascii: ":"))
            let start = written.count
            let places = parts.map { part in
                let place = written.count
                append(part, &written)
                return place..<written.count
            }
            let sorted = sorted(places, in: written)
            guard sorted != places else { return }
            var moved: [UInt8] = []
            moved.reserveCapacity(written.count - start)
            for place in sorted { moved += written[place] }
            written.replaceSubrange(start..., with: moved)
        }

        private static func append(framed bytes: some Collection<UInt8>, to written: inout [UInt8]) {
            written += String(bytes.count).utf8
            written.append(UInt8(ascii: ":"))
            written += bytes
        }

        /// Bytewise.
        private static func sorted(_ places: [Range<Int>], in written: [UInt8]) -> [Range<Int>] {
            let bytes = written.span
            return places.sorted { left, right in
                for (one, other) in zip(left, right) where bytes[one] != bytes[other] {
                    return bytes[one] < bytes[other]
                }
                return left.count < right.count
            }
        }
    }
}
