// SPDX-License-Identifier: Apache-2.0

/// What may be kept of a text that people hand in: one that can be shown again without harm.
package enum PlainText {
    /// Bytes of the longest one; `subledger.register` has the same rule.
    package static let longest = 1_000

    /// Neither too long nor with a control character in it.
    package static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= longest && !text.unicodeScalars.contains(where: isControl)
    }

    /// The characters U+0001 to U+001F and U+007F to U+009F steer a terminal, and U+0000 ends a text.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}
