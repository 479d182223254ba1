// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// A reading end over bytes in memory (`BIO`), for OpenSSL's PEM readers.
@safe
struct MemoryBIO: ~Copyable {
    private let pointer: OpaquePointer

    /// Copies the bytes into a BIO of its own; throws an error of the given kind when they are empty or too many.
    init(_ bytes: [UInt8], orThrow code: SigningError.Code) throws(SigningError) {
        guard let count = Int32(exactly: bytes.count), count > 0 else { throw SigningError(code, detail: "empty") }
        guard let pointer = unsafe BIO_new(BIO_s_secmem()) else { throw OpenSSLErrorQueue.error(.libraryFailure) }
        unsafe self.pointer = pointer
        guard unsafe BIO_write(pointer, bytes, count) == count else {
            throw OpenSSLErrorQueue.error(.libraryFailure)
        }
    }

    deinit {
        unsafe BIO_free_all(pointer)
    }

    /// Lends the pointer for the time of one call; it must not be kept.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        unsafe body(pointer)
    }
}
