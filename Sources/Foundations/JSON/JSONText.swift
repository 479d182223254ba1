// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// JSON as this program writes it: members in the order of their names, slashes as they are, so that the same values are the same
/// bytes.
package enum JSONText {
    /// A value as JSON, in UTF-8.
    ///
    /// Throws what the value's own encoding throws.
    ///
    /// `value`: texts, numbers and lists of them included.
    /// `isIndented`: a line for each member, for people; else all of it is one line.
    /// `names`: how members are named after properties.
    package static func encode(
        _ value: some Encodable, isIndented: Bool = false,
        names: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys
    ) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = names
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
        return Array(try encoder.encode(value))
    }

    /// A text with its quotation marks, and no more escapes than JSON asks for.
    package static func quoted(_ text: String) -> String {
        "\"" + String(decoding: JSONEscapes.escaped(Array(text.utf8)), as: UTF8.self) + "\""
    }
}
