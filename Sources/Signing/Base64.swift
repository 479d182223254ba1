// SPDX-License-Identifier: Apache-2.0

/// Base64 of RFC 4648 section 4: the standard alphabet with its padding, as certificates and Play signatures use it.
///
/// Decoding is strict (no white space, no missing padding, no stray bits), so that a value has exactly one spelling.
package enum Base64 {
    /// The bytes as text, padded with `=`.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text = Base64Alphabet.standard.encode(bytes)
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes a text represents, or nil when it is not strict base64.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 4) else { return nil }
        let padding = characters.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return Base64Alphabet.standard.decode(characters.dropLast(padding))
    }
}
