// SPDX-License-Identifier: Apache-2.0

/// Bytes as hexadecimal text: two lower-case digits a byte, the higher half first.
package enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// The text of some bytes, twice as long as they are.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes the digits of some bytes, in ASCII, behind what is there.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
    }

    /// The bytes that so many digits in ASCII stand for; nil where one is none of the sixteen lower-case ones, or half a byte is left.
    package static func decode(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for place in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
            guard let high = half(digits[place]), let low = half(digits[place + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func half(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
