// SPDX-License-Identifier: Apache-2.0

/// The licence key of a Play app, which proves whether a purchase handed in by a device was issued by Play.
///
/// The scheme is RSASSA-PKCS1-v1_5 with SHA-1 over the exact bytes the device received: a re-serialised JSON fails.
package struct LicenceKey: Sendable {
    private let key: PreparedKey

    /// Reads the key as the Play Console shows it: base64 of an X.509 SubjectPublicKeyInfo, RSA of at least 2,048 bits.
    ///
    /// White space is ignored, since consoles and files wrap long lines.
    /// - Throws: `malformedKey`, `wrongKeyType`.
    package init(base64SubjectPublicKeyInfo text: String) throws(SigningError) {
        guard let der = Base64.decode(text.filter { !$0.isWhitespace }) else {
            throw SigningError(.malformedKey, detail: "the licence key is not base64")
        }
        let key = try Key.publicKey(subjectPublicKeyInfo: der)
        guard key.isStrongRSA else {
            throw SigningError(.wrongKeyType, detail: "a licence key is an RSA key of at least 2048 bits")
        }
        self.key = try PreparedKey(key, for: .verifying, of: .sha1)
    }

    /// Whether Play made this signature (standard base64) over exactly these bytes.
    package func verifies(signature: String, over bytes: [UInt8]) -> Bool {
        guard let signature = Base64.decode(signature) else { return false }
        return (try? key.verifies(signature, over: bytes[...])) ?? false
    }
}
