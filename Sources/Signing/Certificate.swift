// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Foundation

/// One X.509 certificate (`X509`), as a header carried it or a file of roots held it.
@safe
struct Certificate: ~Copyable {
    private let pointer: OpaquePointer

    /// Takes over a certificate that no other owner will free.
    private init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe X509_free(pointer)
    }

    /// Reads a certificate that fills the DER bytes exactly; nil for anything else.
    static func read(der: [UInt8]) -> Certificate? {
        var consumed = 0
        let pointer = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            let certificate = unsafe d2i_X509(nil, &cursor, buffer.count)
            if let cursor = unsafe cursor, let base = buffer.baseAddress { consumed = unsafe cursor - base }
            return unsafe certificate
        }
        guard let pointer = unsafe pointer else { return nil }
        let certificate = unsafe Certificate(owning: pointer)
        guard consumed == der.count else { return nil }
        return certificate
    }

    /// The next certificate of a PEM text; nil at its end.
    static func next(in source: borrowing MemoryBIO) -> Certificate? {
        let pointer = unsafe source.withPointer { unsafe PEM_read_bio_X509($0, nil, { _, _, _, _ in -1 }, nil) }
        guard let pointer = unsafe pointer else { return nil }
        return unsafe Certificate(owning: pointer)
    }

    /// Lends the pointer for the time of one call; it must not be kept.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        unsafe body(pointer)
    }

    /// Whether an extension with this dotted identifier is present, whatever it says.
    ///
    /// An identifier that is none is never present, so that a wrong policy refuses everything.
    func hasExtension(_ identifier: String) -> Bool {
        guard let object = unsafe OBJ_txt2obj(identifier, 1) else { return false }
        defer { unsafe ASN1_OBJECT_free(object) }
        return unsafe X509_get_ext_by_OBJ(pointer, object, -1) >= 0
    }

    /// Whether its basic constraints say CA:TRUE and its key usage, if any, allows signing certificates.
    var mayIssueCertificates: Bool {
        unsafe X509_check_ca(pointer) == 1
    }

    /// The subject's public key.
    func publicKey() throws(SigningError) -> Key {
        guard let key = unsafe X509_get_pubkey(pointer) else { throw OpenSSLErrorQueue.error(.malformedCertificate) }
        return unsafe Key(owning: key)
    }

    /// Milliseconds since the Unix epoch at which the certificate is valid, both ends included.
    var validity: ClosedRange<Int64>? {
        unsafe Self.validity(of: pointer)
    }

    /// The validity of a certificate that OpenSSL lends us.
    ///
    /// The last second is valid to its end.
    static func validity(of pointer: OpaquePointer) -> ClosedRange<Int64>? {
        guard let first = unsafe seconds(X509_get0_notBefore(pointer)),
            let last = unsafe seconds(X509_get0_notAfter(pointer)), first <= last
        else { return nil }
        return (first * 1000)...(last * 1000 + 999)
    }

    private static func seconds(_ instant: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var fields = unsafe tm()
        guard let instant = unsafe instant, unsafe ASN1_TIME_to_tm(instant, &fields) == 1 else { return nil }
        return unsafe Int64(timegm(&fields))
    }
}
