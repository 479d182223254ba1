// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing
import TestSupport
import Testing

/// Tokens we sign, verified by the `openssl` command line.
@Suite("Tokens we sign")
struct JSONWebTokenTests {
    private struct Claims: Encodable {
        let iss: String
        let aud: String
        let iat: Int64
        let scope: String
    }

    private let claims = Claims(
        iss: "57246542-96fe-1a63-e053-0824d011072a", aud: "https://oauth2.googleapis.com/token", iat: 1_700_000_000,
        scope: "a b")
    private let tool: OpenSSLCommand

    init() throws {
        tool = try OpenSSLCommand()
    }

    private func key(_ arguments: String...) throws -> [UInt8] {
        try tool.run(arguments: arguments + ["-out", "key.pem"])
        try tool.run("pkey", "-in", "key.pem", "-pubout", "-out", "public.pem")
        return try tool.read("key.pem")
    }

    private func p256() throws -> [UInt8] {
        try key("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
    }

    @Test func `an ES256 token is verified by openssl, from a PKCS#8 and from a SEC 1 key`() throws {
        let pkcs8 = try p256()
        #expect(String(decoding: pkcs8, as: UTF8.self).hasPrefix("-----BEGIN PRIVATE KEY-----"))
        let sec1 = try tool.run("ec", "-in", "key.pem", "-param_out") + tool.run("ec", "-in", "key.pem")
        #expect(String(decoding: sec1, as: UTF8.self).contains("BEGIN EC PRIVATE KEY"))
        for pem in [pkcs8, sec1] {
            let token = try JSONWebToken.encode(
                header: ["kid": "ABC123", "typ": "JWT"], claims: claims, signer: ES256Signer(pem: pem))
            let parts = token.split(separator: ".", omittingEmptySubsequences: false)
            try #require(parts.count == 3)
            let raw = try SignatureForms.bytes(base64URL: parts[2])
            #expect(raw.count == 64)
            let message = Array("\(parts[0]).\(parts[1])".utf8)
            let der = SignatureForms.der(raw: raw)
            #expect(try tool.verifies(signature: der, of: message, publicKey: "public.pem", hash: "-sha256"))
            #expect(!(try tool.verifies(signature: der, of: message + [0], publicKey: "public.pem", hash: "-sha256")))
        }
    }

    @Test(arguments: [0, 32])
    func `r and s retain their leading zeros`(position: Int) throws {
        let signer = try ES256Signer(pem: p256())
        // One signature in 256 has one; that 20,000 have none happens once in 10^34.
        for number in 0..<20_000 {
            let message = Array("message \(number)".utf8)
            let raw = try signer.sign(message)
            try #require(raw.count == 64)
            guard raw[position] == 0 else { continue }
            let der = SignatureForms.der(raw: raw)
            #expect(try tool.verifies(signature: der, of: message, publicKey: "public.pem", hash: "-sha256"))
            return
        }
        Issue.record("no number with a leading zero in 20,000 signatures")
    }

    @Test func `an RS256 token is verified by openssl`() throws {
        let pem = try key("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
        let token = try JSONWebToken.encode(
            header: ["typ": "JWT", "kid": "k"], claims: claims, signer: RS256Signer(pem: pem))
        let parts = token.split(separator: ".")
        let signature = try SignatureForms.bytes(base64URL: parts[2])
        let message = Array("\(parts[0]).\(parts[1])".utf8)
        #expect(try tool.verifies(signature: signature, of: message, publicKey: "public.pem", hash: "-sha256"))
    }

    @Test func `header and claims are the JSON that was meant, the header in its order`() throws {
        let signer = try ES256Signer(pem: p256())
        let token = try JSONWebToken.encode(
            header: ["kid": "A\"1/2", "typ": "JWT"], claims: claims, signer: signer)
        let parts = try token.split(separator: ".").map {
            String(decoding: try SignatureForms.bytes(base64URL: $0), as: UTF8.self)
        }
        #expect(parts[0] == #"{"alg":"ES256","kid":"A\"1/2","typ":"JWT"}"#)
        let said =
            #"{"aud":"https://oauth2.googleapis.com/token","iat":1700000000,"#
            + #""iss":"57246542-96fe-1a63-e053-0824d011072a","scope":"a b"}"#
        #expect(parts[1] == said)
    }

    @Test func `a chain goes into the header as standard base64, the payload byte for byte`() throws {
        let signer = try ES256Signer(pem: p256())
        let payload = Array("{ \"b\" : 1 }".utf8)
        let token = try JSONWebToken.encode(
            header: [:], certificates: [[0xFB, 0xFF], [1]], payload: payload, signer: signer)
        let parts = try token.split(separator: ".").map { try SignatureForms.bytes(base64URL: $0) }
        #expect(String(decoding: parts[0], as: UTF8.self) == #"{"alg":"ES256","x5c":["+/8=","AQ=="]}"#)
        #expect(parts[1] == payload)
    }

    @Test func `a header cannot name another algorithm than the signer's`() throws {
        let signer = try ES256Signer(pem: p256())
        #expect(throws: SigningError(.algorithmRefused("none"))) {
            try JSONWebToken.encode(header: ["alg": "none"], claims: claims, signer: signer)
        }
        let token = try JSONWebToken.encode(header: ["alg": "ES256"], claims: claims, signer: signer)
        #expect(token.hasPrefix(SignatureForms.base64URL(#"{"alg":"ES256"}"#.utf8) + "."))
    }
}
