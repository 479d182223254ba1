// SPDX-License-Identifier: Apache-2.0

import Foundations

/// The members of a JSON object, read leniently: the store sends one value as a number, a string or a boolean,
/// depending on its age and mood.
///
/// A member that cannot be read as what is asked for is nil.
package struct Fields {
    private let document: JSONDocument
    private let members: [JSONDocument.Member]
    private let isWhole: Bool

    /// Nil for a value that is no object.
    ///
    /// `isWhole`: the value is all of the document.
    init?(_ value: JSONDocument.Value, of document: JSONDocument, isWhole: Bool = false) {
        guard let members = value.members else { return nil }
        self.document = document
        self.members = members
        self.isWhole = isWhole
    }

    /// A member's value, the last one's where there are several; nil where it is absent or null.
    private subscript(name: String) -> JSONDocument.Value? {
        // Most names differ in length already.
        let length = name.utf8.count
        for place in members.indices.reversed()
        where members[place].name.utf8.count == length && members[place].name == name {
            let value = members[place].value
            return document.isNull(value) ? nil : value
        }
        return nil
    }

    /// The member is there and not null; an empty object counts, where its presence is the signal.
    package func has(_ name: String) -> Bool { self[name] != nil }

    /// The members of an object within; nil when it is absent or none.
    package func object(_ name: String) -> Fields? { self[name].flatMap { Fields($0, of: document) } }

    /// A text that is not empty; numbers are texts too.
    package func text(_ name: String) -> String? { self[name].flatMap(text) }

    private func text(_ value: JSONDocument.Value) -> String? {
        if let text = document.text(value) { return text.isEmpty ? nil : text }
        return document.number(value).flatMap { Int64($0) ?? Double($0).flatMap(Int64.init(exactly:)) }.map { "\($0)" }
    }

    /// A whole number, also in a string or with a fraction that is cut.
    package func integer(_ name: String) -> Int64? {
        guard let value = self[name] else { return nil }
        if let text = document.text(value) { return Int64(text) }
        guard let number = document.number(value) else { return nil }
        return Int64(number) ?? Double(number).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
    }

    /// A boolean, also as 0 or 1, or as a string of either.
    package func flag(_ name: String) -> Bool? {
        guard let value = self[name] else { return nil }
        switch document.flag(value).map({ $0 ? "1" : "0" }) ?? text(value)?.lowercased() {
        case "1", "true": return true
        case "0", "false": return false
        default: return nil
        }
    }

    /// A member that is an object of the given type; nil when it is absent or cannot be read as one.
    package func value<Value: JSONReadable>(_ name: String) -> Value? { self[name].flatMap(read) }

    /// The elements of an array, or the one element that is in its place; nil for each that cannot be read.
    package func list<Element: JSONReadable>(_ name: String) -> [Element?]? { elements(name)?.map(read) }

    /// The texts of an array, empty ones too, or the one that is in its place; nil for each element that is none.
    package func texts(_ name: String) -> [String?]? { elements(name)?.map(document.text) }

    /// How many elements an array has, one where another value is in its place; 0 where it is absent.
    package func count(of name: String) -> Int { elements(name)?.count ?? 0 }

    private func elements(_ name: String) -> [JSONDocument.Value]? { self[name].map { $0.elements ?? [$0] } }

    private func read<Value: JSONReadable>(_ value: JSONDocument.Value) -> Value? {
        Fields(value, of: document).flatMap { try? Value($0) }
    }

    /// The names of the unknown members; of a whole document, too, that it has half a surrogate pair, which is as unforeseen.
    package func names(outside known: Set<String>) -> [String] {
        let unknown = members.lazy.map(\.name).filter { !known.contains($0) }
        return Array(unknown) + (isWhole && document.hasLoneSurrogate ? ["lone surrogate"] : [])
    }
}
