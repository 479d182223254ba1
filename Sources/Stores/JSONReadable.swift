// SPDX-License-Identifier: Apache-2.0

package import Foundations

/// What is read out of a JSON object's members.
package protocol JSONReadable {
    /// Throws where the object is none of this type.
    init(_ fields: Fields) throws
}

extension JSONReadable {
    /// Nil where the document is no object of this type.
    package init?(_ document: JSONDocument) {
        guard let fields = Fields(document.root, of: document, isWhole: true), let read = try? Self(fields) else {
            return nil
        }
        self = read
    }

    /// Nil where the bytes are no JSON object of this type.
    package init?(json bytes: [UInt8]) {
        guard let document = JSONDocument(bytes) else { return nil }
        self.init(document)
    }
}
