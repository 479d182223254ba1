// SPDX-License-Identifier: Apache-2.0

/// A text whose words in braces are filled in.
///
/// What is filled in is not looked at again, whatever an app is called.
package enum FilledText {
    /// `words`: name, text, name, text ….
    package static func filled(_ text: String, _ words: [String]) -> String {
        var filled = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = rest[rest.index(after: open)..<close]
            let place = stride(from: 0, to: words.count - 1, by: 2).first { words[$0] == name }
            filled += rest[..<open] + (place.map { words[$0 + 1] } ?? String(rest[open...close]))
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }
}
