// SPDX-License-Identifier: Apache-2.0

/// The members of a JSON object, read leniently: the store sends one value as a number, a string or a boolean,
/// depending on its age and mood. A member that cannot be read as what is asked for is nil.
package struct Fields {
    /// Any member's name.
    package struct Name: CodingKey {
        package let stringValue: String
        package var intValue: Int? { nil }
        package init(_ name: String) { stringValue = name }
        package init?(stringValue: String) { self.stringValue = stringValue }
        package init?(intValue: Int) { nil }
    }

    private let container: KeyedDecodingContainer<Name>

    package init(_ decoder: any Decoder) throws { container = try decoder.container(keyedBy: Name.self) }

    private init(_ container: KeyedDecodingContainer<Name>) { self.container = container }

    /// The member is there and not null; an empty object counts, where its presence is the signal.
    package func has(_ name: String) -> Bool {
        container.contains(Name(name)) && (try? container.decodeNil(forKey: Name(name))) == false
    }

    /// The members of an object within; nil when it is absent or none.
    package func object(_ name: String) -> Fields? {
        guard container.contains(Name(name)) else { return nil }
        return (try? container.nestedContainer(keyedBy: Name.self, forKey: Name(name))).map(Fields.init)
    }

    /// A text that is not empty; numbers are texts too.
    package func text(_ name: String) -> String? {
        if let text: String = value(name) { return text.isEmpty ? nil : text }
        let number: Int64? = value(name)
        return number.map { String($0) }
    }

    /// A whole number, also in a string or with a fraction that is cut.
    package func integer(_ name: String) -> Int64? {
        if let number: Int64 = value(name) { return number }
        if let text: String = value(name) { return Int64(text) }
        let number: Double? = value(name)
        return number.flatMap { Int64(exactly: $0.rounded(.towardZero)) }
    }

    /// A boolean, also as 0 or 1, or as a string of either.
    package func flag(_ name: String) -> Bool? {
        if let flag: Bool = value(name) { return flag }
        switch text(name)?.lowercased() {
        case "1", "true": return true
        case "0", "false": return false
        default: return nil
        }
    }

    /// A member of the given type; nil when it is absent or of another.
    package func value<Value: Decodable>(_ name: String) -> Value? {
        // Most members are absent in most rows, and asking first is cheaper than failing.
        container.contains(Name(name)) ? try? container.decode(Value.self, forKey: Name(name)) : nil
    }

    /// The elements of an array, or the one element that stands in its place; nil for each that cannot be read.
    package func list<Element: Decodable>(_ name: String) -> [Element?]? {
        if let many: [Lenient<Element>] = value(name) { return many.map(\.value) }
        guard has(name) else { return nil }
        let one: Element? = value(name)
        return [one]
    }

    /// The members that nobody here knows.
    package func names(outside known: Set<String>) -> [String] {
        container.allKeys.map(\.stringValue).filter { !known.contains($0) }
    }
}

/// A value that may be unreadable without harm to its neighbours.
package struct Lenient<Value: Decodable>: Decodable {
    package let value: Value?
    package init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
