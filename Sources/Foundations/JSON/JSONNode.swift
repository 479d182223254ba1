// SPDX-License-Identifier: Apache-2.0

/// A value of a document as something that can be encoded: written by `JSONText`, its escapes and numbers are spelt in one way,
/// however they were received.
package struct JSONNode: Encodable {
    private let document: JSONDocument
    private let value: JSONDocument.Value

    /// `value`: one of the document's.
    package init(_ value: JSONDocument.Value, of document: JSONDocument) {
        self.value = value
        self.document = document
    }

    /// Encodes it whole; of several members of a name the last one.
    ///
    /// Throws what the encoder throws.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .object(let members):
            let nodes = members.map { ($0.name, JSONNode($0.value, of: document)) }
            try container.encode(Dictionary(nodes) { _, last in last })
        case .array(let elements): try container.encode(elements.map { JSONNode($0, of: document) })
        case .text: try container.encode(document.text(value) ?? "")
        case .scalar:
            if let flag = document.flag(value) {
                try container.encode(flag)
            } else if let whole = document.whole(value) {
                try container.encode(whole)
            } else if let decimal = document.decimal(value) {
                try container.encode(decimal)
            } else {
                try container.encodeNil()
            }
        }
    }
}
