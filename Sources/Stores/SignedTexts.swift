// SPDX-License-Identifier: Apache-2.0

package import Foundations

/// Verified signed texts of an answer, each with the document that it says.
package struct SignedTexts: Sendable {
    private struct Entry {
        let text: [UInt8]
        let document: JSONDocument
    }

    /// A signature of 64 bytes in base64url: texts are looked up by it, and compared as a whole.
    private static let signatureLength = 86

    private var entries: [String: Entry] = [:]

    package init() {}

    package mutating func note(_ text: String, saying document: JSONDocument) {
        let text = Array(text.utf8)
        entries[Self.signature(of: text[...])] = Entry(text: text, document: document)
    }

    func document(saidBy text: ArraySlice<UInt8>) -> JSONDocument? {
        guard text.count > Self.signatureLength, let entry = entries[Self.signature(of: text)],
            text.isSame(as: entry.text[...])
        else { return nil }
        return entry.document
    }

    private static func signature(of text: ArraySlice<UInt8>) -> String {
        String(decoding: text.suffix(signatureLength), as: UTF8.self)
    }
}
