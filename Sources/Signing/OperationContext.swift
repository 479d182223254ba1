// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// One signature operation in progress (`EVP_PKEY_CTX`): a key, what is to be done with it, and its parameters.
@safe
struct OperationContext: ~Copyable {
    private let pointer: OpaquePointer

    /// Takes over a context that no other owner will free.
    private init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe EVP_PKEY_CTX_free(pointer)
    }

    /// A context for the key, not yet initialized for an operation; it keeps a reference of its own to the key.
    static func on(_ key: borrowing Key) throws(SigningError) -> OperationContext {
        let pointer = unsafe key.withPointer { unsafe EVP_PKEY_CTX_new($0, nil) }
        guard let pointer = unsafe pointer else { throw OpenSSLErrorQueue.error(.libraryFailure) }
        return unsafe OperationContext(owning: pointer)
    }

    /// A second operation in the same state, to be used up by one call; nil when memory is short.
    func duplicate() -> OperationContext? {
        guard let pointer = unsafe EVP_PKEY_CTX_dup(pointer) else { return nil }
        return unsafe OperationContext(owning: pointer)
    }

    /// Prepares signing or verifying of digests of the given hash.
    func prepare(for purpose: PreparedKey.Purpose, of hash: HashAlgorithm, isRSA: Bool) throws(SigningError) {
        var outcome =
            switch purpose {
            case .signing: unsafe EVP_PKEY_sign_init(pointer)
            case .verifying: unsafe EVP_PKEY_verify_init(pointer)
            }
        if outcome == 1, isRSA { outcome = unsafe EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PADDING) }
        if outcome == 1 { outcome = unsafe EVP_PKEY_CTX_set_signature_md(pointer, hash.descriptor) }
        guard outcome == 1 else { throw OpenSSLErrorQueue.error(.libraryFailure) }
    }

    /// The signature of a digest, in OpenSSL's form (DER for elliptic curves); nil when OpenSSL refuses.
    func sign(_ digest: [UInt8]) -> [UInt8]? {
        var length = 0
        guard unsafe EVP_PKEY_sign(pointer, nil, &length, digest, digest.count) == 1 else { return nil }
        var signature = [UInt8](repeating: 0, count: length)
        guard unsafe EVP_PKEY_sign(pointer, &signature, &length, digest, digest.count) == 1 else { return nil }
        return Array(signature.prefix(length))
    }

    /// Whether the signature, in OpenSSL's form, is the key's for this digest.
    func verifies(_ signature: [UInt8], of digest: [UInt8]) -> Bool {
        unsafe EVP_PKEY_verify(pointer, signature, signature.count, digest, digest.count) == 1
    }
}
