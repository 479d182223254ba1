// SPDX-License-Identifier: Apache-2.0

import Foundations

/// Writes signed JSON web tokens in compact form: what the stores take instead of a password.
package enum JSONWebToken {
    /// A token over the claims, whose JSON has sorted keys so that equal claims give equal bytes.
    ///
    /// `header`: members of the header in this order; `alg` comes first and always from the signer.
    /// `claims`: what the token says, as a JSON object.
    /// `signer`: the key that signs.
    /// Throws `unencodableToken`, `algorithmRefused` when the header names another algorithm than the signer's,
    /// `signingFailed`.
    package static func encode(
        header: KeyValuePairs<String, String>, claims: some Encodable, signer: any JWTSigner
    ) throws(SigningError) -> String {
        try encode(header: header, payload: json(claims), signer: signer)
    }

    /// A token over exactly these payload bytes, with a certificate chain in its header when one is given.
    ///
    /// `header`: members of the header in this order; `alg` comes first and always from the signer.
    /// `certificates`: DER of the chain from the signer's certificate up, for the member `x5c`.
    /// `payload`: the bytes to sign.
    /// `signer`: the key that signs.
    /// Throws as `encode(header:claims:signer:)`.
    package static func encode(
        header: KeyValuePairs<String, String>, certificates: [[UInt8]] = [], payload: [UInt8], signer: any JWTSigner
    ) throws(SigningError) -> String {
        let head = try headerJSON(header, certificates: certificates, algorithm: signer.algorithm)
        let signed = Base64URL.encode(head) + "." + Base64URL.encode(payload)
        let signature = try signer.sign(Array(signed.utf8))
        return signed + "." + Base64URL.encode(signature)
    }

    /// The header's JSON by hand: an encoder would not keep the order.
    private static func headerJSON(
        _ pairs: KeyValuePairs<String, String>, certificates: [[UInt8]], algorithm: String
    ) throws(SigningError) -> [UInt8] {
        var members = [try member("alg", algorithm)]
        for (name, value) in pairs where name != "alg" {
            members.append(try member(name, value))
        }
        for (name, value) in pairs where name == "alg" && value != algorithm {
            throw SigningError(.algorithmRefused(value), detail: "the signer's is \(algorithm)")
        }
        if !certificates.isEmpty { members.append(try member("x5c", certificates.map(Base64.encode))) }
        return Array("{\(members.joined(separator: ","))}".utf8)
    }

    private static func member(_ name: String, _ value: some Encodable) throws(SigningError) -> String {
        String(decoding: try json(name), as: UTF8.self) + ":" + String(decoding: try json(value), as: UTF8.self)
    }

    private static func json(_ value: some Encodable) throws(SigningError) -> [UInt8] {
        do {
            return try JSONText.encode(value)
        } catch {
            // The encoder's own words may quote a claim.
            throw SigningError(.unencodableToken)
        }
    }
}
