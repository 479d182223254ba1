// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Signing
import TestSupport
import Testing

@testable import StoreSimulator

/// Signatures and chains, held against the `openssl` command line.
@Suite struct SignatureTests {
    private static let customers = Paper.customers(Paper.life(Paper.january()))

    @Test func `answers verify under the store's root and no other`() async throws {
        try await withStores(Self.customers, clock: "2026-01-05T00:00:00Z") { _, client in
            let entry = try #require(try await client.statuses("100000000000001").entries.first)
            for field in ["signedTransactionInfo", "signedRenewalInfo"] {
                let good = try #require(entry[field] as? String)
                #expect(try Self.verdict(good, root: client.directory) == ["OK", "Verified OK"])
                var spoiled = good
                let spot = good.index(try #require(good.firstIndex(of: ".")), offsetBy: 20)
                spoiled.replaceSubrange(spot...spot, with: good[spot] == "A" ? "B" : "A")
                #expect(try Self.verdict(spoiled, root: client.directory) == ["OK", "Verification failure"])
                let ownKeys: (inout SimulatorConfiguration) -> Void = { $0.keyStock = nil }
                try await withStores(Self.customers, clock: "2026-01-05T00:00:00Z", ownKeys) { _, other in
                    let verdict = try Self.verdict(good, root: other.directory)
                    #expect(verdict.count == 2 && verdict != ["OK", "Verified OK"])
                }
            }
        }
    }

    @Test func `the chain carries the store's marks`() async throws {
        try await withStores(Self.customers, clock: "2026-01-05T00:00:00Z") { _, client in
            let (openssl, folder) = (try OpenSSLCommand(), client.directory)
            let leaf = try openssl.verdict("x509", "-in", "\(folder)/store-leaf.pem", "-noout", "-text")
            let intermediate = try openssl.verdict("x509", "-in", "\(folder)/store-intermediate.pem", "-noout", "-text")
            #expect(leaf.contains("1.2.840.113635.100.6.11.1") && leaf.contains("CA:FALSE"))
            #expect(intermediate.contains("1.2.840.113635.100.6.2.1") && intermediate.contains("CA:TRUE"))
            #expect(leaf.contains("NIST CURVE: P-256"))
        }
    }

    @Test func `secrets are for their owner alone`() async throws {
        let apps = [Paper.app, Paper.receiptApp]
        try await withStores(Self.customers, apps: apps, clock: "2026-01-05T00:00:00Z") { stores, client in
            let legacy = try StoreClient(stores, app: Paper.receiptApp, directory: client.directory)
            for file in [client.setting("private_key_file"), legacy.setting("shared_secret_file")] {
                let attributes = try FileManager.default.attributesOfItem(atPath: file)
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
            }
            await legacy.http.shutdown()
        }
    }

    /// What `openssl` says of the chain and of the signature.
    private static func verdict(_ jws: String, root: String) throws -> [String] {
        let parts = jws.split(separator: ".").map(String.init)
        let header = try #require(Base64URL.decode(parts[0]))
        let json = try #require(try JSONSerialization.jsonObject(with: Data(header)) as? [String: Any])
        let chain = try #require(json["x5c"] as? [String])
        #expect(json["alg"] as? String == "ES256" && chain.count == 3)
        let openssl = try OpenSSLCommand()
        for (certificate, name) in zip(chain, ["leaf", "intermediate"]) {
            _ = try openssl.write(try #require(Base64.decode(certificate)), as: "\(name).der")
            try openssl.run("x509", "-inform", "DER", "-in", "\(name).der", "-out", "\(name).pem")
        }
        try openssl.run("x509", "-inform", "DER", "-in", "\(root)/store-root.der", "-out", "root.pem")
        _ = try openssl.write(der(try #require(Base64URL.decode(parts[2]))), as: "signature")
        _ = try openssl.write(Array("\(parts[0]).\(parts[1])".utf8), as: "signed")
        try openssl.run("x509", "-in", "leaf.pem", "-pubkey", "-noout", "-out", "key.pem")
        let chainSays = try openssl.verdict(
            "verify", "-CAfile", "root.pem", "-untrusted", "intermediate.pem", "leaf.pem")
        let signatureSays = try openssl.verdict(
            "dgst", "-sha256", "-verify", "key.pem", "-signature", "signature", "signed")
        return [chainSays.replacing("leaf.pem: ", with: ""), signatureSays.components(separatedBy: "\n")[0]]
    }

    /// r and s as a DER sequence of two integers.
    private static func der(_ raw: [UInt8]) -> [UInt8] {
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            var value = Array(bytes.drop { $0 == 0 })
            if value.first.map({ $0 >= 0x80 }) ?? true { value.insert(0, at: 0) }
            return [2, UInt8(value.count)] + value
        }
        let body = integer(raw[..<32]) + integer(raw[32...])
        return [0x30, UInt8(body.count)] + body
    }
}
