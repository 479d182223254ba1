// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A JSON document with one member or element left out, of another type or of another value: each such damage in turn.
package struct DamagedJSON {
    /// Where it is damaged: names, and indices as text.
    package let path: [String]
    /// What stands there instead; `nothing` where it is left out.
    package let stranger: String
    package let bytes: [UInt8]

    /// What stands in for a member.
    private static var strangers: [Any] {
        [
            NSNull(), 0, -1, 9_223_372_036_854_775_807, 0.5, true, "", "unexpected", "-1", "99999999999999999999",
            [Any](), [String: Any](), [["unexpected": 1]],
        ]
    }

    /// Calls the body with every damaged document; containers are damaged as a whole, too.
    package static func forEach(of document: [UInt8], _ body: (DamagedJSON) throws -> Void) throws {
        let whole = try JSONSerialization.jsonObject(with: Data(document))
        for path in paths(in: whole) {
            for stranger in [Any?.none] + strangers.map(Optional.some) {
                let damaged = replaced(whole, at: path[...], by: stranger)
                let bytes = Array(try JSONSerialization.data(withJSONObject: damaged))
                try body(DamagedJSON(path: path, stranger: stranger.map { "\($0)" } ?? "nothing", bytes: bytes))
            }
        }
    }

    init(path: [String], stranger: String, bytes: [UInt8]) {
        (self.path, self.stranger, self.bytes) = (path, stranger, bytes)
    }

    /// Cut after so many bytes: that touches every place.
    init(cutting document: [UInt8], after length: Int) {
        self.init(path: [], stranger: "cut after \(length) bytes", bytes: Array(document[..<length]))
    }

    /// The damage lies at that place, within it or around it.
    package func changes(_ place: [String]) -> Bool { zip(path, place).allSatisfy { $0 == $1 } }

    private static func paths(in value: Any) -> [[String]] {
        switch value {
        case let fields as [String: Any]:
            fields.sorted { $0.key < $1.key }.flatMap { name, member in
                [[name]] + paths(in: member).map { [name] + $0 }
            }
        case let elements as [Any]:
            elements.enumerated().flatMap { index, element in
                [["\(index)"]] + paths(in: element).map { ["\(index)"] + $0 }
            }
        default: []
        }
    }

    private static func replaced(_ value: Any, at path: ArraySlice<String>, by stranger: Any?) -> Any {
        guard let name = path.first else { return value }
        let rest = path.dropFirst()
        if var fields = value as? [String: Any] {
            fields[name] = rest.isEmpty ? stranger : fields[name].map { replaced($0, at: rest, by: stranger) }
            return fields
        }
        guard var elements = value as? [Any], let index = Int(name) else { return value }
        if !rest.isEmpty {
            elements[index] = replaced(elements[index], at: rest, by: stranger)
        } else if let stranger {
            elements[index] = stranger
        } else {
            elements.remove(at: index)
        }
        return elements
    }
}
