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

    /// Texts under their names.
    init(_ texts: [String: String]) { members = texts.mapValues { $0 as any WireValue } }

    subscript(name: String) -> (any WireValue)? {
        get { members[name] }
        set { members[name] = newValue }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    }

    /// The bytes of a document, the members of each object in the order of their names.
    static func bytes(of document: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(document))
    }
}

extension Int64 {
    /// An instant in milliseconds since the Unix epoch.
    var milliseconds: Int64 { self / 1_000 }
}
