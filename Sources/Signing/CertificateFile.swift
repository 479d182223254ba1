// SPDX-License-Identifier: Apache-2.0

/// A file of certificates, one in DER or several in PEM, of which only is asked how long they are valid.
package enum CertificateFile {
    /// When the first of them ends, in milliseconds since the Unix epoch.
    ///
    /// Throws `malformedCertificate` where the bytes are none.
    package static func end(of bytes: [UInt8]) throws(SigningError) -> Int64 {
        if let certificate = Certificate.read(der: bytes) {
            _ = OpenSSLErrorQueue.drain()
            guard let validity = certificate.validity else { throw SigningError(.malformedCertificate) }
            return validity.upperBound
        }
        let source = try MemoryBIO.over(bytes.span, orThrow: .malformedCertificate)
        var first: Int64?
        while let certificate = Certificate.next(in: source) {
            guard let validity = certificate.validity else { continue }
            first = min(first ?? .max, validity.upperBound)
        }
        // OpenSSL reports the end of the text as an error.
        let detail = OpenSSLErrorQueue.drain()
        guard let first else { throw SigningError(.malformedCertificate, detail: detail) }
        return first
    }
}
