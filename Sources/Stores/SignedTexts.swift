// SPDX-License-Identifier: Apache-2.0

/// Verified signed texts of an answer, each with the document that it says.
package struct SignedTexts: Sendable {
    private struct Entry {
        let text: [UInt8]
        let document: JSONDocument
    }

    /// A signature of 64 bytes in base64url: texts are looked up by it, and compared as a whole.
    private static let signatureLength = 86

    private var entries: [ArraySlice<UInt8>: Entry] = [:]

    package init() {}

    package mutating func note(_ text: String, saying document: JSONDocument) {
        let text = Array(text.utf8)
        entries[text.suffix(Self.signatureLength)] = Entry(text: text, document: document)
    }

    func document(saidBy text: ArraySlice<UInt8>) -> JSONDocument? {
        guard text.count > Self.signatureLength, let entry = entries[text.suffix(Self.signatureLength)],
            entry.text[...] == text
        else { return nil }
        return entry.document
    }
}
