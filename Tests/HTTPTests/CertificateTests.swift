// SPDX-License-Identifier: Apache-2.0

import HTTP
import Logging
import TestSupport
import Testing

/// Whom the client is willing to talk to.
@Suite(.hangLimit) struct CertificateTests {
    private let certificates: Certificates

    init() throws {
        certificates = try Certificates()
    }

    private func send(to probe: TLSProbe, authorities: String?) async throws(HTTPError) -> HTTPResponse {
        let client = HTTPClient(
            HTTPClientConfiguration(certificateAuthorityFile: authorities), logger: RecordedLog().logger)
        return try await client.send(HTTPRequest(url: "https://localhost:\(probe.port)/", route: "/"))
    }

    @Test func `a certificate of the trusted authority for the right host is accepted`() async throws {
        let response = try await send(
            to: try TLSProbe(certificates, .valid), authorities: certificates.authorityFile)
        #expect(response.status == 200)
    }

    @Test(
        arguments: [
            (Certificates.Kind.selfSigned, "the certificate is self-signed"),
            (.otherAuthority, "the certificate's issuer is not trusted"),
            (.otherHost, "the certificate is for another host name"),
            (.expired, "the certificate has expired"),
        ])
    func `any other certificate stops the run, with its reason`(kind: Certificates.Kind, reason: String) async throws {
        let probe = try TLSProbe(certificates, kind)
        let expected = HTTPError(.tlsVerificationFailed, host: "localhost", route: "/", reason: reason)
        let error = await #expect(throws: HTTPError.self) {
            try await send(to: probe, authorities: certificates.authorityFile)
        }
        #expect(error == expected)
        #expect(error?.disposition == .stop)
    }

    @Test func `the system's authorities do not vouch for a private one`() async throws {
        let probe = try TLSProbe(certificates, .valid)
        let error = await #expect(throws: HTTPError.self) { try await send(to: probe, authorities: nil) }
        #expect(error?.code == .tlsVerificationFailed)
    }

    @Test func `an authority file that cannot be read stops the run`() async throws {
        let probe = try TLSProbe(certificates, .valid)
        let error = await #expect(throws: HTTPError.self) {
            try await send(to: probe, authorities: certificates.path("no-such.pem"))
        }
        #expect(error?.code == .tlsVerificationFailed)
        #expect(error?.reason == "the file of trusted authorities cannot be read")
    }

    @Test func `a server that offers nothing newer than TLS 1.1 is refused`() async throws {
        let weakened = ["-www", "-cipher", "DEFAULT@SECLEVEL=0"]
        let old = try TLSProbe(certificates, .valid, options: ["-tls1_1"] + weakened)
        let error = await #expect(throws: HTTPError.self) {
            try await send(to: old, authorities: certificates.authorityFile)
        }
        #expect(error?.code == .tlsFailed)
        let newer = try TLSProbe(certificates, .valid, options: ["-tls1_2"] + weakened)
        #expect(try await send(to: newer, authorities: certificates.authorityFile).status == 200)
    }
}
