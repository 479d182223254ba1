// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing
import TestSupport
import Testing

/// Play's purchase signatures, made by the `openssl` command line.
@Suite("Play purchase signatures")
struct LicenceKeyTests {
    private let tool: OpenSSLCommand
    private let purchase = Array(
        #"{"orderId":"GPA.3333-4137-0319-36762","packageName":"com.acme","purchaseTime":1700000000000,"é":"\u003d"}"#
            .utf8)
    private let signature: String
    private let publicKey: String

    init() throws {
        tool = try OpenSSLCommand()
        try tool.run("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "play.pem")
        let der = try tool.run("pkey", "-in", "play.pem", "-pubout", "-outform", "DER")
        publicKey = Data(der).base64EncodedString()
        signature = Data(try tool.sign(purchase, key: "play.pem", hash: "-sha1")).base64EncodedString()
    }

    @Test func `the signature of exactly these bytes is accepted`() throws {
        #expect(try LicenceKey(base64SubjectPublicKeyInfo: publicKey).verifies(signature: signature, over: purchase))
    }

    @Test func `a key pasted with line breaks is the same key`() throws {
        let wrapped = publicKey.prefix(64) + "\r\n" + publicKey.dropFirst(64) + "\n"
        let key = try LicenceKey(base64SubjectPublicKeyInfo: String(wrapped))
        #expect(key.verifies(signature: signature, over: purchase))
    }

    @Test func `one changed byte, a missing byte, re-serialised JSON and another key's signature are refused`() throws {
        let key = try LicenceKey(base64SubjectPublicKeyInfo: publicKey)
        for position in [0, purchase.count / 2, purchase.count - 1] {
            var changed = purchase
            changed[position] ^= 1
            #expect(!key.verifies(signature: signature, over: changed))
        }
        #expect(!key.verifies(signature: signature, over: Array(purchase.dropLast())))
        let object = try JSONSerialization.jsonObject(with: Data(purchase))
        let rewritten = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
        #expect(!key.verifies(signature: signature, over: Array(rewritten)))
        try tool.run("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "other.pem")
        let foreign = Data(try tool.sign(purchase, key: "other.pem", hash: "-sha1")).base64EncodedString()
        #expect(!key.verifies(signature: foreign, over: purchase))
    }

    @Test func `a signature with another hash, a cut one and one that is no base64 are refused`() throws {
        let key = try LicenceKey(base64SubjectPublicKeyInfo: publicKey)
        let modern = Data(try tool.sign(purchase, key: "play.pem", hash: "-sha256")).base64EncodedString()
        for bad in [modern, String(signature.dropLast(4)), "", "not base64", " " + signature] {
            #expect(!key.verifies(signature: bad, over: purchase))
        }
    }

    @Test func `a text that is no key is malformed; a curve and a short RSA key are of the wrong type`() throws {
        for text in ["", "canary", "QUJD", publicKey.dropLast(4) + "AAAA" + "AAAA"] {
            #expect(throws: SigningError(.malformedKey)) { try LicenceKey(base64SubjectPublicKeyInfo: text) }
        }
        try tool.run("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024", "-out", "short.pem")
        try tool.run("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "curve.pem")
        for file in ["short.pem", "curve.pem"] {
            let der = try tool.run("pkey", "-in", file, "-pubout", "-outform", "DER")
            #expect(throws: SigningError(.wrongKeyType)) {
                try LicenceKey(base64SubjectPublicKeyInfo: Data(der).base64EncodedString())
            }
        }
    }
}
