// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Keys and certificates for one test run, made by `openssl` in a temporary directory and removed with it.
final class Certificates: Sendable {
    /// The servers a test may need.
    ///
    /// All but `otherAuthority` are signed by `authority`.
    enum Kind: String, CaseIterable {
        /// For `localhost` and 127.0.0.1.
        case valid
        /// For another host name.
        case otherHost
        /// For `localhost`, no longer valid.
        case expired
        /// For `localhost`, signed by itself.
        case selfSigned
        /// For `localhost`, signed by an authority that is not trusted.
        case otherAuthority
    }

    private let openssl: OpenSSLCommand

    init() throws {
        openssl = try OpenSSLCommand()
        try makeAuthority("authority")
        try makeAuthority("stranger")
        try makeServer(.valid, names: "DNS:localhost,IP:127.0.0.1", signer: "authority", days: 2)
        try makeServer(.otherHost, names: "DNS:elsewhere.example", signer: "authority", days: 2)
        try makeServer(.expired, names: "DNS:localhost", signer: "authority", days: -1)
        try makeServer(.otherAuthority, names: "DNS:localhost", signer: "stranger", days: 2)
        try makeSelfSigned(.selfSigned, names: "DNS:localhost")
    }

    /// The file of the one authority tests trust.
    var authorityFile: String { path("authority.pem") }

    func certificateFile(_ kind: Kind) -> String { path("\(kind.rawValue).pem") }

    func keyFile(_ kind: Kind) -> String { path("\(kind.rawValue).key") }

    /// The path of a file in the directory, which goes away with this value.
    func path(_ name: String) -> String { openssl.directory.appending(path: name).path }

    private func makeAuthority(_ name: String) throws {
        try openssl.run(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", path("\(name).key"), "-out", path("\(name).pem"), "-days", "2", "-subj", "/CN=\(name)",
            "-addext", "basicConstraints=critical,CA:TRUE")
    }

    private func makeServer(_ kind: Kind, names: String, signer: String, days: Int) throws {
        try openssl.run(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", keyFile(kind), "-out", path("\(kind.rawValue).csr"), "-subj", "/CN=server",
            "-addext", "subjectAltName=\(names)")
        try openssl.run(
            "x509", "-req", "-in", path("\(kind.rawValue).csr"), "-CA", path("\(signer).pem"),
            "-CAkey", path("\(signer).key"), "-set_serial", "1", "-days", "\(days)",
            "-copy_extensions", "copy", "-out", certificateFile(kind))
    }

    private func makeSelfSigned(_ kind: Kind, names: String) throws {
        try openssl.run(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", keyFile(kind), "-out", certificateFile(kind), "-days", "2", "-subj", "/CN=server",
            "-addext", "subjectAltName=\(names)")
    }
}
