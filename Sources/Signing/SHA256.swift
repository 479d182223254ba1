// SPDX-License-Identifier: Apache-2.0

/// SHA-256, for identities (subscription keys, chains) and content hashes.
package enum SHA256 {
    /// Bytes in a digest.
    package static let byteCount = 32

    /// The 32-byte digest of the bytes.
    ///
    /// A library that cannot hash would give every subscription the same identity: the program ends instead.
    package static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let digest = HashAlgorithm.sha256.digest(Array(bytes)[...]) ?? []
        precondition(digest.count == byteCount, "OpenSSL offers no SHA-256: repair its installation")
        return digest
    }

    /// The 32-byte digest of the text's UTF-8 bytes.
    package static func digest(of text: String) -> [UInt8] {
        digest(text.utf8)
    }
}
