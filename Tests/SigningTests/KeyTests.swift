// SPDX-License-Identifier: Apache-2.0

import Signing
import TestSupport
import Testing

/// Which keys are taken and which are not.
@Suite struct KeyTests {
    private let tool: OpenSSLCommand

    init() throws {
        tool = try OpenSSLCommand()
    }

    private func ec(_ curve: String) throws -> [UInt8] {
        try tool.run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(curve)")
    }

    private func rsa(_ bits: Int, _ algorithm: String = "RSA") throws -> [UInt8] {
        try tool.run("genpkey", "-algorithm", algorithm, "-pkeyopt", "rsa_keygen_bits:\(bits)")
    }

    @Test func `ES256 takes no other curve and no RSA key`() throws {
        for pem in [try ec("P-384"), try ec("secp256k1"), try rsa(2048)] {
            #expect(throws: SigningError(.wrongKeyType)) { try ES256Signer(pem: pem) }
        }
    }

    @Test func `RS256 takes no curve, no RSA-PSS key and no RSA key below 2048 bits`() throws {
        for pem in [try ec("P-256"), try rsa(1024), try rsa(2048, "RSA-PSS")] {
            #expect(throws: SigningError(.wrongKeyType)) { try RS256Signer(pem: pem) }
        }
    }

    @Test func `what is no private key is malformed: nothing, noise, a public key, a cut, an encrypted key`() throws {
        let pem = try ec("P-256")
        _ = try tool.write(pem, as: "key.pem")
        let encrypted = try tool.run("pkcs8", "-topk8", "-in", "key.pem", "-passout", "pass:canary-password")
        let open = try tool.run("pkey", "-in", "key.pem", "-pubout")
        for bad in [[], Array("canary-key".utf8), open, Array(pem.prefix(100)), encrypted] {
            #expect(throws: SigningError(.malformedKey)) { try ES256Signer(pem: bad) }
            #expect(throws: SigningError(.malformedKey)) { try RS256Signer(pem: bad) }
        }
    }
}
