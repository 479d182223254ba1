// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing

/// A JSON web token of either store in its parts; nobody has looked at its signature yet.
struct UnverifiedToken {
    struct Header: Decodable {
        let alg: String
        let kid: String?
    }

    struct Claims: Decodable {
        let iss: String
        let aud: String
        let exp: Int64
        let iat: Int64?
        /// The App Store's: which app is asked about.
        let bid: String?
        /// Google's: what is asked for.
        let scope: String?
    }

    let header: Header
    let claims: Claims
    let signature: [UInt8]
    /// What was signed.
    let message: [UInt8]

    /// Nil for a text that is none.
    init?(_ text: Substring) {
        let parts = text.split(separator: ".")
        guard parts.count == 3, let header: Header = Self.decode(parts[0]), let claims: Claims = Self.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { return nil }
        (self.header, self.claims, self.signature) = (header, claims, signature)
        message = Array("\(parts[0]).\(parts[1])".utf8)
    }

    private static func decode<Part: Decodable>(_ text: Substring) -> Part? {
        Base64URL.decode(text).flatMap { try? JSONDecoder().decode(Part.self, from: Data($0)) }
    }
}
