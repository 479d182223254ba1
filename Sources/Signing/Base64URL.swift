// SPDX-License-Identifier: Apache-2.0

/// Base64url of RFC 4648 section 5 without padding, as every part of a JSON web token uses it.
///
/// Decoding is strict, so that one signature cannot be spelt in two ways.
package enum Base64URL {
    /// The bytes as text without padding.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: Base64Alphabet.url.encode(bytes), as: UTF8.self)
    }

    /// The bytes a text represents, or nil when it is not strict base64url.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        decode(Array(text.utf8)[...])
    }

    /// The bytes a text in ASCII represents, or nil when it is not strict base64url.
    package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        Base64Alphabet.url.decode(text)
    }
}
