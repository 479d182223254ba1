// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Conversions written out by hand, so that the code under test does not check itself.
enum SignatureForms {
    /// DER of an ECDSA signature, from r and s side by side.
    static func der(raw: [UInt8]) -> [UInt8] {
        let half = raw.count / 2
        let body = integer(raw.prefix(half)) + integer(raw.suffix(half))
        return [0x30, UInt8(body.count)] + body
    }

    /// r and s side by side in 32 bytes each, from DER.
    static func raw(der: [UInt8]) -> [UInt8] {
        let rLength = Int(der[3])
        let r = der[4..<(4 + rLength)]
        let s = der[(6 + rLength)...]
        return padded(r) + padded(s)
    }

    /// Base64url without padding, by Foundation.
    static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The bytes of base64url without padding, by Foundation.
    static func bytes(base64URL text: some StringProtocol) throws -> [UInt8] {
        var standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while standard.count % 4 != 0 { standard += "=" }
        guard let data = Data(base64Encoded: standard) else {
            throw OpenSSLCommand.Failure(description: "Foundation cannot decode \(text)")
        }
        return Array(data)
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.isEmpty || digits[0] >= 0x80 { digits.insert(0, at: 0) }
        return [0x02, UInt8(digits.count)] + digits
    }

    private static func padded(_ integer: ArraySlice<UInt8>) -> [UInt8] {
        let digits = integer.drop { $0 == 0 }
        return [UInt8](repeating: 0, count: 32 - digits.count) + digits
    }
}
