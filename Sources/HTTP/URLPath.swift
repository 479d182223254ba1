// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding for what goes into a URL: identifiers and tokens of the stores, which may hold any character.
package enum URLPath {
    /// Encodes one path segment: everything but RFC 3986 unreserved characters (`A–Z a–z 0–9 - . _ ~`) becomes
    /// `%XX` of its UTF-8 bytes, so a slash or a question mark inside an identifier cannot change the path.
    package static func encode(segment: String) -> String {
        var encoded = ""
        encoded.reserveCapacity(segment.utf8.count)
        for byte in segment.utf8 {
            PercentEncoding.append(byte, to: &encoded)
        }
        return encoded
    }
}
