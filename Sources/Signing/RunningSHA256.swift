// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// A SHA-256 of bytes that come piece by piece (`EVP_MD_CTX`), for what is too large to be held at once.
///
/// Every call throws `SigningError` (`libraryFailure`) where OpenSSL cannot hash: out of memory, no provider.
@safe
package final class RunningSHA256 {
    private let context: OpaquePointer

    package init() throws(SigningError) {
        guard let context = unsafe EVP_MD_CTX_new() else {
            throw SigningError(.libraryFailure, detail: "no memory for a SHA-256")
        }
        unsafe self.context = context
        try Self.check(unsafe EVP_DigestInit_ex(context, HashAlgorithm.sha256.descriptor, nil))
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    package func update(_ bytes: [UInt8]) throws(SigningError) {
        try Self.check(unsafe EVP_DigestUpdate(context, bytes, bytes.count))
    }

    /// The 32-byte digest of everything so far; nothing more can be added.
    package func finish() throws(SigningError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: SHA256.byteCount)
        try Self.check(unsafe EVP_DigestFinal_ex(context, &digest, nil))
        return digest
    }

    private static func check(_ outcome: Int32) throws(SigningError) {
        guard outcome == 1 else { throw OpenSSLErrorQueue.error(.libraryFailure) }
    }
}
