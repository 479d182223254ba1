// SPDX-License-Identifier: Apache-2.0

/// Signs with RSASSA-PKCS1-v1_5 and SHA-256: the key of a Google service account.
package struct RS256Signer: JWTSigner {
    private let key: PreparedKey

    /// Reads an RSA private key of at least 2,048 bits in PEM form.
    ///
    /// - Throws: `malformedKey`, or `wrongKeyType` for other kinds and shorter keys.
    package init(pem: Span<UInt8>) throws(SigningError) {
        let key = try Key.privateKey(pem: pem)
        guard key.isStrongRSA else {
            throw SigningError(.wrongKeyType, detail: "RS256 needs an RSA key of at least 2048 bits")
        }
        self.key = try PreparedKey(key, for: .signing, of: .sha256)
    }

    /// The same of an array, which is the caller's to overwrite.
    package init(pem: [UInt8]) throws(SigningError) {
        self = try Self(pem: pem.span)
    }

    /// The algorithm's name in a token's header.
    package var algorithm: String { "RS256" }

    /// The signature, as long as the key's modulus.
    ///
    /// - Throws: `signingFailed`.
    package func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        try key.sign(message)
    }
}
