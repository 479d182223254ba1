// SPDX-License-Identifier: Apache-2.0

/// Checks ECDSA signatures over P-256 and SHA-256 with a bare key: what the owner of a key pair knows of its clients.
package struct ES256Verifier: Sendable {
    private let key: PreparedKey

    /// Reads a P-256 key in PEM form: a public one (`PUBLIC KEY`), or a private one, whose public half is used.
    ///
    /// - Throws: `malformedKey`, or `wrongKeyType` for RSA and for other curves.
    package init(pem: [UInt8]) throws(SigningError) {
        let key = try Self.readKey(pem)
        guard key.isP256 else { throw SigningError(.wrongKeyType, detail: "ES256 needs a P-256 key") }
        self.key = try PreparedKey(key, for: .verifying, of: .sha256)
    }

    /// Whether the signature (64 bytes, r and s side by side) is the key's for this message.
    package func verifies(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        guard let parsed = ECDSASignature.read(raw: signature), let der = parsed.der else { return false }
        return (try? key.verifies(der, over: message[...])) ?? false
    }

    private static func readKey(_ pem: [UInt8]) throws(SigningError) -> Key {
        let lines = String(decoding: pem, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.first == "-----BEGIN PUBLIC KEY-----" else { return try Key.privateKey(pem: pem.span) }
        let body = lines.dropFirst().prefix { !$0.hasPrefix("-----") }.joined()
        guard let der = Base64.decode(body) else {
            throw SigningError(.malformedKey, detail: "the public key is not base64")
        }
        return try Key.publicKey(subjectPublicKeyInfo: der)
    }
}
