// SPDX-License-Identifier: Apache-2.0

/// The one rule both encoders share: which bytes represent themselves.
enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".unicodeScalars)

    /// Appends the byte as itself when it is unreserved (RFC 3986 §2.3), else as `%XX` with capital digits.
    static func append(_ byte: UInt8, to text: inout String) {
        if isUnreserved(byte) {
            text.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
            text.append("%")
            text.unicodeScalars.append(digits[Int(byte >> 4)])
            text.unicodeScalars.append(digits[Int(byte & 0x0F)])
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default:
            false
        }
    }
}
