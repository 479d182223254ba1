// SPDX-License-Identifier: Apache-2.0

/// A JSON text and where its values are in it: what is copied out of it is spelt as it was received.
///
/// One scan serves all that becomes of an answer: what is read into types (`Fields`), its digest, its archive.
package struct JSONDocument: Sendable {
    /// Where a value is: ranges of the document's bytes.
    package enum Value: Sendable {
        /// In the order of the text, several of one name included.
        case object([Member])
        /// In the order of the text.
        case array([Value])
        /// With its quotes.
        case text(Range<Int>)
        /// A number, `true`, `false` or `null`.
        case scalar(Range<Int>)
    }

    /// A name of an object, with its value.
    package struct Member: Sendable {
        /// With its escapes resolved.
        package let name: String
        /// With its quotes.
        let quotedName: Range<Int>
        /// What the name has.
        package let value: Value
    }

    /// The whole text, in UTF-8.
    package let bytes: [UInt8]
    /// The object or array that the text is.
    package let root: Value
    /// A text has half a surrogate pair, which is read as U+FFFD.
    package let hasLoneSurrogate: Bool

    /// Nil for what is no JSON object or array in UTF-8 (RFC 8259), and for one that is nested more than 128 deep.
    ///
    /// A byte order mark is passed over.
    package init?(_ bytes: [UInt8]) {
        do { _ = try UTF8Span(validating: bytes.span) } catch { return nil }
        var scanner = JSONScanner(bytes)
        guard let root = try? scanner.document() else { return nil }
        self.bytes = bytes
        self.root = root
        hasLoneSurrogate = scanner.hasLoneSurrogate
    }

    /// The bytes of a text without its quotes, its escapes resolved.
    package func content(ofText quoted: Range<Int>) -> ArraySlice<UInt8> {
        let inner = bytes[(quoted.lowerBound + 1)..<(quoted.upperBound - 1)]
        return inner.hasEscape ? JSONEscapes.resolved(inner)[...] : inner
    }
}

extension JSONDocument.Value {
    /// The members of an object; nil for anything else.
    package var members: [JSONDocument.Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The elements of an array; nil for anything else.
    package var elements: [JSONDocument.Value]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// An object's member of that name, the last one where there are several, as decoders take it.
    package subscript(_ name: String) -> JSONDocument.Value? {
        members?.last { $0.name == name }?.value
    }
}

extension JSONDocument {
    /// A value as it is spelt, without spaces, its members by name, in UTF-8.
    ///
    /// `isIncluded`: asked of each member, and of the name of the object's own member that it is in, nil at the top;
    /// what it refuses is left out, at any depth.
    package func compact(
        _ value: Value, retaining isIncluded: (Member, _ parent: String?) -> Bool = { _, _ in true }
    ) -> [UInt8] {
        var written: [UInt8] = []
        append(value, within: nil, isIncluded, to: &written)
        return written
    }

    private func append(
        _ value: Value, within parent: String?, _ isIncluded: (Member, String?) -> Bool, to written: inout [UInt8]
    ) {
        switch value {
        case .text(let place), .scalar(let place): written += bytes[place]
        case .array(let elements):
            appendList(elements, between: ("[", "]"), to: &written) { element, written in
                append(element, within: parent, isIncluded, to: &written)
            }
        case .object(let members):
            let included = members.filter { isIncluded($0, parent) }.sorted { $0.name < $1.name }
            appendList(included, between: ("{", "}"), to: &written) { member, written in
                written += bytes[member.quotedName]
                written.append(UInt8(ascii: ":"))
                append(member.value, within: member.name, isIncluded, to: &written)
            }
        }
    }

    private func appendList<Part>(
        _ parts: [Part], between brackets: (Unicode.Scalar, Unicode.Scalar), to written: inout [UInt8],
        _ append: (Part, inout [UInt8]) -> Void
    ) {
        written.append(UInt8(ascii: brackets.0))
        for (index, part) in parts.enumerated() {
            if index > 0 { written.append(UInt8(ascii: ",")) }
            append(part, &written)
        }
        written.append(UInt8(ascii: brackets.1))
    }
}
