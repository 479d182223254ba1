// SPDX-License-Identifier: Apache-2.0

/// Signs with ECDSA over P-256 and SHA-256: the App Store's in-app purchase key (`.p8`).
package struct ES256Signer: JWTSigner {
    private let key: PreparedKey

    /// Reads a P-256 private key in PEM form, PKCS#8 (the store's `.p8`) or SEC 1.
    ///
    /// - Throws: `malformedKey`, or `wrongKeyType` for RSA and for other curves.
    package init(pem: Span<UInt8>) throws(SigningError) {
        let key = try Key.privateKey(pem: pem)
        guard key.isP256 else { throw SigningError(.wrongKeyType, detail: "ES256 needs a P-256 key") }
        self.key = try PreparedKey(key, for: .signing, of: .sha256)
    }

    /// The same of an array, which is the caller's to overwrite.
    package init(pem: [UInt8]) throws(SigningError) {
        self = try Self(pem: pem.span)
    }

    /// The algorithm's name in a token's header.
    package var algorithm: String { "ES256" }

    /// The signature as 64 bytes: r and s, big-endian, side by side.
    ///
    /// - Throws: `signingFailed`.
    package func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        let der = try key.sign(message)
        guard let signature = ECDSASignature.read(der: der), let raw = signature.raw else {
            throw OpenSSLErrorQueue.error(.signingFailed)
        }
        return raw
    }
}
