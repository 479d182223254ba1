// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What may stand in the JSON of an answer.
protocol WireValue: Encodable, Sendable {}

extension String: WireValue {}
extension Bool: WireValue {}
extension Int: WireValue {}
extension Int64: WireValue {}
extension Array: WireValue where Element: WireValue {}

/// A JSON object of either store, member by member; a member without a value is left out.
struct WireObject: WireValue, ExpressibleByDictionaryLiteral {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private var members: [String: any WireValue]

    init(dictionaryLiteral elements: (String, (any WireValue)?)...) {
        members = [:]
        for (name, value) in elements { members[name] = value }
    }

    subscript(name: String) -> (any WireValue)? {
        get { members[name] }
        set { members[name] = newValue }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    }

    /// Takes in all members of another one, in place of those of the same name.
    mutating func add(_ others: WireObject) { members.merge(others.members) { _, new in new } }

    /// The bytes of the document, the members of each object in the order of their names.
    func bytes() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }
}

extension Int64 {
    /// An instant in milliseconds since the Unix epoch.
    var milliseconds: Int64 { self / 1_000 }
}
