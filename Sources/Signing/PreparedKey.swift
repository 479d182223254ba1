// SPDX-License-Identifier: Apache-2.0

/// A key made ready for one kind of signature, usable from many threads at once.
///
/// OpenSSL 3.0 looks up its algorithms again for every operation it starts; copying a prepared operation costs a tenth of
/// that, which is what keeps verification close to the bare speed of the curve.
///
/// `@unchecked Sendable`: the template is written only inside the initialiser. Afterwards it is only read, by
/// `EVP_PKEY_CTX_dup`, whose parameter is const and which changes nothing shared but atomic reference counts; every
/// call works on a copy of its own.
final class PreparedKey: @unchecked Sendable {
    /// What the key will be used for.
    enum Purpose: Sendable {
        /// Making signatures with a private key.
        case signing
        /// Checking signatures with a public key.
        case verifying
    }

    private let template: OperationContext
    private let hash: HashAlgorithm

    /// Prepares the key for signatures over digests of the given hash.
    init(_ key: borrowing Key, for purpose: Purpose, of hash: HashAlgorithm) throws(SigningError) {
        let operation = try OperationContext.on(key)
        try operation.prepare(for: purpose, of: hash, isRSA: key.isStrongRSA)
        self.template = operation
        self.hash = hash
    }

    /// The signature of the message, in OpenSSL's form (DER for elliptic curves).
    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        guard let operation = template.duplicate(), let digest = hash.digest(message[...]),
            let signature = operation.sign(digest)
        else { throw OpenSSLErrorQueue.error(.signingFailed) }
        return signature
    }

    /// Whether the signature, in OpenSSL's form, is the key's for this message.
    ///
    /// - Throws: `libraryFailure` when the question could not even be asked.
    func verifies(_ signature: [UInt8], over message: ArraySlice<UInt8>) throws(SigningError) -> Bool {
        guard let operation = template.duplicate(), let digest = hash.digest(message) else {
            throw OpenSSLErrorQueue.error(.libraryFailure)
        }
        guard operation.verifies(signature, of: digest) else {
            _ = OpenSSLErrorQueue.drain()
            return false
        }
        return true
    }
}
