// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// What a server proves itself with, and the protocols it offers (`SSL_CTX`).
///
/// `@unchecked Sendable`: written only inside the initialiser; sessions of many threads may be made of one context.
@safe
package final class TLSContext: @unchecked Sendable {
    /// ALPN's own form: each name behind its length.
    ///
    /// Static, because OpenSSL points into it.
    private static let protocols: StaticString = "\u{2}h2\u{8}http/1.1"

    private let pointer: OpaquePointer

    /// A server's context of PEM files: its certificates, its own first, and the key to the first of them.
    ///
    /// `http2`: offer HTTP/2 before HTTP/1.1; else nothing is offered, and HTTP/1.1 is spoken.
    package init(certificateFile: String, keyFile: String, http2: Bool) throws(TLSError) {
        guard let pointer = unsafe SSL_CTX_new(TLS_server_method()) else { throw .last("making a context") }
        unsafe self.pointer = pointer
        guard unsafe SSL_CTX_use_certificate_chain_file(pointer, certificateFile) == 1 else {
            throw .last("reading the certificate in \(certificateFile)")
        }
        guard unsafe SSL_CTX_use_PrivateKey_file(pointer, keyFile, SSL_FILETYPE_PEM) == 1 else {
            throw .last("reading the key in \(keyFile)")
        }
        if http2 { offerHTTP2() }
    }

    deinit {
        unsafe SSL_CTX_free(pointer)
    }

    private func offerHTTP2() {
        unsafe SSL_CTX_set_alpn_select_cb(
            pointer,
            { _, chosen, length, offers, offersLength, _ in
                let ours = TLSContext.protocols
                var choice: UnsafeMutablePointer<UInt8>?
                let outcome = unsafe SSL_select_next_proto(
                    &choice, length, ours.utf8Start, UInt32(ours.utf8CodeUnitCount), offers, offersLength)
                guard outcome == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_NOACK }
                unsafe chosen?.pointee = UnsafePointer(choice)
                return SSL_TLSEXT_ERR_OK
            }, nil)
    }

    /// Lends the pointer for the time of one call; it must not be kept.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        unsafe body(pointer)
    }
}
