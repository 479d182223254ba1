// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// One OpenSSL key (`EVP_PKEY`), private or public: what a file, a certificate or a console text held.
///
/// It lives only while a key is being read and checked; the prepared operations keep references of their own.
@safe
struct Key: ~Copyable {
    private let pointer: OpaquePointer

    /// Takes over a key that no other owner will free.
    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    /// Lends the pointer for the time of one call; it must not be kept.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        unsafe body(pointer)
    }

    /// Whether this is an elliptic-curve key on P-256, the only curve of ES256.
    var isP256: Bool {
        guard unsafe EVP_PKEY_get_base_id(pointer) == EVP_PKEY_EC else { return false }
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard unsafe EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1 else { return false }
        return name.prefix(length).map(UInt8.init(bitPattern:)) == Array(SN_X9_62_prime256v1.utf8)
    }

    /// Whether this is an RSA key of at least 2,048 bits; shorter ones are not worth a signature.
    var isStrongRSA: Bool {
        unsafe EVP_PKEY_get_base_id(pointer) == EVP_PKEY_RSA && EVP_PKEY_get_bits(pointer) >= 2048
    }
}

extension Key {
    /// Reads a private key from PEM, PKCS#8 (`PRIVATE KEY`) or the older forms (`EC PRIVATE KEY`, `RSA PRIVATE KEY`).
    ///
    /// - Throws: `malformedKey` for anything else; an encrypted key is refused without asking anybody for a password.
    static func privateKey(pem: Span<UInt8>) throws(SigningError) -> Key {
        let source = try MemoryBIO.over(pem, orThrow: .malformedKey)
        let pointer = unsafe source.withPointer { bio in
            unsafe PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let pointer = unsafe pointer else { throw OpenSSLErrorQueue.error(.malformedKey) }
        return unsafe Key(owning: pointer)
    }

    /// Reads a public key from the DER of an X.509 SubjectPublicKeyInfo, which must fill the bytes exactly.
    ///
    /// - Throws: `malformedKey`.
    static func publicKey(subjectPublicKeyInfo der: [UInt8]) throws(SigningError) -> Key {
        var consumed = 0
        let pointer = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            let key = unsafe d2i_PUBKEY(nil, &cursor, buffer.count)
            if let cursor = unsafe cursor, let base = buffer.baseAddress { consumed = unsafe cursor - base }
            return unsafe key
        }
        guard let pointer = unsafe pointer else { throw OpenSSLErrorQueue.error(.malformedKey) }
        let key = unsafe Key(owning: pointer)
        guard consumed == der.count else { throw SigningError(.malformedKey, detail: "bytes follow the key") }
        return key
    }
}
