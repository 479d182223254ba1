// SPDX-License-Identifier: Apache-2.0

/// The body of an `application/x-www-form-urlencoded` request, as OAuth token endpoints expect it.
package enum FormEncoding {
    /// The media type to send with the body.
    package static let contentType = "application/x-www-form-urlencoded"

    /// Encodes the fields in their order as `name=value&name=value`.
    ///
    /// A space becomes `+`, as forms do; everything else that is not unreserved becomes `%XX`.
    package static func encode(_ fields: [(name: String, value: String)]) -> [UInt8] {
        var body = ""
        for field in fields {
            if !body.isEmpty { body.append("&") }
            append(field.name, to: &body)
            body.append("=")
            append(field.value, to: &body)
        }
        return Array(body.utf8)
    }

    private static func append(_ text: String, to body: inout String) {
        for byte in text.utf8 {
            if byte == UInt8(ascii: " ") {
                body.append("+")
            } else {
                PercentEncoding.append(byte, to: &body)
            }
        }
    }
}
