// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// A reading end over bytes in memory (`BIO`), for OpenSSL's PEM readers.
@safe
struct MemoryBIO: ~Copyable {
    private let pointer: OpaquePointer

    /// Takes over a BIO that no other owner will free.
    private init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe BIO_free_all(pointer)
    }

    /// Copies the bytes into memory that is wiped when freed.
    ///
    /// - Throws: an error of the given kind when they are empty or too many, else `libraryFailure`.
    static func over(_ bytes: Span<UInt8>, orThrow code: SigningError.Code) throws(SigningError) -> MemoryBIO {
        guard let count = Int32(exactly: bytes.count), count > 0 else { throw SigningError(code, detail: "empty") }
        guard let pointer = unsafe BIO_new(BIO_s_secmem()) else { throw OpenSSLErrorQueue.error(.libraryFailure) }
        let source = unsafe MemoryBIO(owning: pointer)
        let written = unsafe bytes.withUnsafeBufferPointer { unsafe BIO_write(pointer, $0.baseAddress, count) }
        guard written == count else {
            throw OpenSSLErrorQueue.error(.libraryFailure)
        }
        return source
    }

    /// Lends the pointer for the time of one call; it must not be kept.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        unsafe body(pointer)
    }
}
