// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations

/// The three parts of a signed token as they were spelt, before anything in it is believed.
struct CompactJWS {
    /// Longest header read, in bytes; the real ones have about 4,400.
    static let headerLimit = 32_768

    /// The first part.
    let header: ArraySlice<UInt8>

    /// The second part.
    let payload: ArraySlice<UInt8>

    /// The third part.
    let signature: ArraySlice<UInt8>

    /// What the signature covers: the first two parts and the dot between them.
    let signed: ArraySlice<UInt8>

    /// Splits a token at its two dots.
    ///
    /// A third dot ends up in the payload, where it is no character of base64url.
    /// - Throws: `malformedToken`.
    init(_ token: [UInt8]) throws(SigningError) {
        let dot = UInt8(ascii: ".")
        guard let last = token.lastIndex(of: dot), let first = token[...].place(of: dot), first < last else {
            throw SigningError(.malformedToken, detail: "it has fewer than three parts")
        }
        guard first <= Self.headerLimit else { throw SigningError(.malformedToken, detail: "its header is too long") }
        header = token[..<first]
        payload = token[(first + 1)..<last]
        signature = token[(last + 1)...]
        signed = token[..<last]
    }
}

extension CompactJWS {
    /// What a header says that matters here.
    struct Header: Decodable {
        private enum CodingKeys: String, CodingKey {
            case algorithm = "alg"
            case certificates = "x5c"
            case critical = "crit"
        }

        /// The certificates, as spelt; empty when the header has none.
        let certificates: [String]

        private let algorithm: String?
        private let hasCriticalExtension: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            algorithm = try container.decodeIfPresent(String.self, forKey: .algorithm)
            certificates = try container.decodeIfPresent([String].self, forKey: .certificates) ?? []
            hasCriticalExtension = container.contains(.critical)
        }

        /// Decodes a header and refuses every algorithm but ES256, and extensions that must be understood.
        ///
        /// The name only decides whether to go on; what verifies is ES256 whatever it says.
        static func decode(_ json: [UInt8]) throws(SigningError) -> Header {
            guard let header = try? JSONDecoder().decode(Header.self, from: Data(json)) else {
                throw SigningError(.malformedToken, detail: "its header is not the JSON of one")
            }
            guard header.algorithm == "ES256" else { throw SigningError(.algorithmRefused(header.algorithm)) }
            guard !header.hasCriticalExtension else {
                throw SigningError(.malformedToken, detail: "its header demands an extension")
            }
            return header
        }
    }
}
