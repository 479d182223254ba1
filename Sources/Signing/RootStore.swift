// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// The configured roots (`X509_STORE`).
///
/// `@unchecked Sendable`: roots are added only inside the initialiser; afterwards OpenSSL guards the store with a lock
/// of its own, and each path is built in a context of its own.
@safe
final class RootStore: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Reads the roots.
    ///
    /// - Throws: `malformedRoot` when one cannot be read or there is none.
    init(_ roots: [[UInt8]]) throws(SigningError) {
        guard let pointer = unsafe X509_STORE_new() else { throw OpenSSLErrorQueue.error(.libraryFailure) }
        unsafe self.pointer = pointer
        guard !roots.isEmpty else { throw SigningError(.malformedRoot, detail: "no root is configured") }
        for root in roots {
            if let certificate = Certificate.read(der: root) {
                try add(certificate)
            } else {
                try addAll(pem: root)
            }
        }
    }

    deinit {
        unsafe X509_STORE_free(pointer)
    }

    /// Lends the pointer for the time of one call; it must not be kept.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        unsafe body(pointer)
    }

    private func addAll(pem: [UInt8]) throws(SigningError) {
        let source = try MemoryBIO.over(pem.span, orThrow: .malformedRoot)
        var count = 0
        while let certificate = Certificate.next(in: source) {
            try add(certificate)
            count += 1
        }
        // OpenSSL reports the end of the text as an error, as it does a damaged block: the count distinguishes them.
        let detail = OpenSSLErrorQueue.drain()
        guard count > 0 else { throw SigningError(.malformedRoot, detail: detail) }
    }

    private func add(_ certificate: borrowing Certificate) throws(SigningError) {
        let added = unsafe certificate.withPointer { unsafe X509_STORE_add_cert(pointer, $0) }
        guard added == 1 else { throw OpenSSLErrorQueue.error(.malformedRoot) }
    }
}
