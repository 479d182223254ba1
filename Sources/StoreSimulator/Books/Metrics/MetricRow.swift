// SPDX-License-Identifier: Apache-2.0

/// A row of a metric in the report's own names: what it is of, and its figures (counts, micros, millionths).
package struct MetricRow: Hashable, Sendable {
    package var words: Named<String>
    package var figures: Named<Int64>

    package init(_ words: Named<String>, _ figures: Named<Int64>) { (self.words, self.figures) = (words, figures) }

    package subscript(name: String) -> Int64? {
        get { figures[name] }
        set { figures[name] = newValue }
    }
}

/// Values by their names, in the order of the names; to ask for a name that is none of them is a mistake.
package struct Named<Value: Hashable & Sendable>: Hashable, Sendable {
    package let names: [String]
    /// Nil where it is unknown.
    package internal(set) var values: [Value?]

    package init(_ names: [String], _ values: [Value?]) {
        precondition(names.count == values.count, "\(names) are not \(values.count)")
        (self.names, self.values) = (names, values)
    }

    package subscript(name: String) -> Value? {
        get { values[place(of: name)] }
        set { values[place(of: name)] = newValue }
    }

    func place(of name: String) -> Int {
        guard let place = names.firstIndex(of: name) else { preconditionFailure("no \(name) among \(names)") }
        return place
    }
}

extension Named: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral pairs: (String, Value?)...) { self.init(pairs.map(\.0), pairs.map(\.1)) }
}

extension Named: CustomStringConvertible {
    /// Without what is unknown.
    package var description: String {
        zip(names, values).compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: ", ")
    }
}
