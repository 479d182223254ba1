// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// A SHA-256 of bytes that come piece by piece (`EVP_MD_CTX`), for what is too large to be held at once.
///
/// A library that cannot hash ends the program, as for `SHA256`.
@safe
package final class RunningSHA256 {
    private let context: OpaquePointer

    package init() {
        guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("no memory for a SHA-256") }
        unsafe self.context = context
        let outcome = unsafe EVP_DigestInit_ex(context, HashAlgorithm.sha256.descriptor, nil)
        precondition(outcome == 1, "OpenSSL offers no SHA-256: repair its installation")
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    package func update(_ bytes: [UInt8]) {
        let outcome = unsafe EVP_DigestUpdate(context, bytes, bytes.count)
        precondition(outcome == 1, "OpenSSL cannot hash: repair its installation")
    }

    /// The 32-byte digest of everything so far; nothing more can be added.
    package func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: SHA256.byteCount)
        let outcome = unsafe EVP_DigestFinal_ex(context, &digest, nil)
        precondition(outcome == 1, "OpenSSL cannot hash: repair its installation")
        return digest
    }
}
