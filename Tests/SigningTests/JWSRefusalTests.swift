// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing
import TestSupport
import Testing

/// Signed data that must not pass, each refused by a fresh verifier for its own reason.
@Suite("Signed data that is refused")
struct JWSRefusalTests {
    private let store: TestStore
    private let verifier: JWSVerifier

    init() throws {
        store = try TestStore()
        verifier = try JWSVerifier(policy: store.policy)
    }

    private func header(_ leaf: CertificateWorkshop.Issued, _ intermediate: CertificateWorkshop.Issued) -> String {
        store.header([leaf.base64, intermediate.base64, store.root.base64])
    }

    @Test(arguments: ["none", "HS256", "ES384", "RS256", "es256", "", nil])
    func `every algorithm but ES256 is refused, although the signature is a right ES256 one`(name: String?) throws {
        let token = try store.token(header: store.header(algorithm: name))
        #expect(verifier.refusal(of: token) == .algorithmRefused(name))
        let bare = token.split(separator: ".").prefix(2).joined(separator: ".") + "."
        #expect(verifier.refusal(of: bare) == .algorithmRefused(name))
    }

    @Test func `a header that demands an extension, or whose members are of other types, is refused`() throws {
        for header in [
            store.header(more: #""crit":["exp"],"#), store.header(more: #""crit":null,"#), #"{"alg":1}"#,
            #"{"alg":"ES256","x5c":"A"}"#, "[]", "x",
        ] {
            #expect(try verifier.refusal(of: store.token(header: header)) == .malformedToken)
        }
    }

    @Test func `fewer or more certificates than three are refused`() throws {
        let (leaf, middle, root) = (store.leaf.base64, store.intermediate.base64, store.root.base64)
        for chain in [[], [leaf], [leaf, middle], [leaf, middle, root, root]] {
            #expect(try verifier.refusal(of: store.token(header: store.header(chain))) == .chainLength(chain.count))
        }
        #expect(try verifier.refusal(of: store.token(header: #"{"alg":"ES256"}"#)) == .chainLength(0))
    }

    @Test func `certificates in base64url, cut, with bytes behind them, or of no bytes are refused`() throws {
        let (leaf, middle, root) = (store.leaf.base64, store.intermediate.base64, store.root.base64)
        let padded = Data(store.leaf.der + [0, 0, 0]).base64EncodedString()
        let url = { (text: String) in text.replacing("+", with: "-").replacing("/", with: "_") }
        try #require([leaf, middle, root].allSatisfy { $0.contains("+") || $0.contains("/") })
        for chain in [
            [url(leaf), middle, root], [leaf, url(middle), root], [leaf, middle, url(root)],
            [String(leaf.dropLast(4)), middle, root], [leaf, String(middle.prefix(400)), root], [padded, middle, root],
            ["", middle, root], [leaf + "\\n", middle, root],
        ] {
            #expect(try verifier.refusal(of: store.token(header: store.header(chain))) == .malformedCertificate)
        }
    }

    @Test func `another root of the same name does not make a chain ours`() throws {
        let root = try store.workshop.root()
        let intermediate = try store.workshop.intermediate(by: root)
        let leaf = try store.workshop.leaf(by: intermediate)
        let chain = [leaf.base64, intermediate.base64, root.base64]
        let token = try store.token(header: store.header(chain), signer: leaf)
        #expect(verifier.refusal(of: token) == .untrustedRoot)
        #expect(try JWSVerifier(policy: store.policy(roots: [root.der])).refusal(of: token) == nil)
    }

    @Test
    func `an authority that names no key, or does not say what it is for, is refused, as RFC 5280 has it`() throws {
        let nameless = try store.workshop.root(keyIdentifiers: false)
        let underNameless = try store.workshop.intermediate(by: nameless, keyIdentifiers: false)
        let unnamed = try store.workshop.leaf(by: underNameless, keyIdentifiers: false)
        let chain = [unnamed.base64, underNameless.base64, nameless.base64]
        let token = try store.token(header: store.header(chain), signer: unnamed)
        #expect(try JWSVerifier(policy: store.policy(roots: [nameless.der])).refusal(of: token) == .chainBroken)

        let useless = try store.workshop.intermediate(by: store.root, keyUsage: false)
        let leaf = try store.workshop.leaf(by: useless)
        let signed = try store.token(header: header(leaf, useless), signer: leaf)
        #expect(verifier.refusal(of: signed) == .intermediateNotCA)
    }

    @Test func `an attacker's root, of another name, carried as the third certificate is not believed`() throws {
        let root = try store.workshop.root(subject: "Attacker Root")
        let intermediate = try store.workshop.intermediate(by: root)
        let leaf = try store.workshop.leaf(by: intermediate)
        let header = store.header([leaf.base64, intermediate.base64, root.base64])
        #expect(try verifier.refusal(of: store.token(header: header, signer: leaf)) == .untrustedRoot)
        let dressed = self.header(leaf, intermediate)
        #expect(try verifier.refusal(of: store.token(header: dressed, signer: leaf)) == .untrustedRoot)
    }

    @Test func `a developer's signer under the right chain, without the store's marker, is refused`() throws {
        for oid in [nil, CertificateWorkshop.intermediateOID, CertificateWorkshop.leafOID + ".1"] {
            let leaf = try store.workshop.leaf(by: store.intermediate, oid: oid)
            let token = try store.token(header: header(leaf, store.intermediate), signer: leaf)
            #expect(verifier.refusal(of: token) == .missingLeafExtension)
        }
    }

    @Test func `an issuer without the authority's marker is refused`() throws {
        for oid in [nil, CertificateWorkshop.leafOID] {
            let intermediate = try store.workshop.intermediate(by: store.root, oid: oid)
            let leaf = try store.workshop.leaf(by: intermediate)
            let token = try store.token(header: header(leaf, intermediate), signer: leaf)
            #expect(verifier.refusal(of: token) == .missingIntermediateExtension)
        }
    }

    @Test func `an issuer that is no authority is refused`() throws {
        for constraints in ["basicConstraints=critical,CA:FALSE", "keyUsage=critical,keyCertSign"] {
            let intermediate = try store.workshop.intermediate(by: store.root, constraints: constraints)
            let leaf = try store.workshop.leaf(by: intermediate)
            let token = try store.token(header: header(leaf, intermediate), signer: leaf)
            #expect(verifier.refusal(of: token) == .intermediateNotCA)
        }
    }

    @Test func `a signer issued by another intermediate, or by the root itself, breaks the chain`() throws {
        let sameName = try store.workshop.intermediate(by: store.root)
        #expect(try verifier.refusal(of: store.token(header: header(store.leaf, sameName))) == .chainBroken)
        let otherName = try store.workshop.intermediate(by: store.root, subject: "Other Intermediate")
        #expect(try verifier.refusal(of: store.token(header: header(store.leaf, otherName))) == .chainBroken)
        let direct = try store.workshop.leaf(by: store.root)
        let token = try store.token(header: header(direct, store.intermediate), signer: direct)
        #expect(verifier.refusal(of: token) == .chainBroken)
    }

    @Test func `a longer path, in which the issuer is under another intermediate, is refused`() throws {
        let upper = try store.workshop.intermediate(
            by: store.root, constraints: "basicConstraints=critical,CA:TRUE", subject: "Upper")
        let lower = try store.workshop.intermediate(by: upper, subject: "Lower")
        let leaf = try store.workshop.leaf(by: lower)
        let header = store.header([leaf.base64, lower.base64, upper.base64])
        let token = try store.token(header: header, signer: leaf)
        #expect(verifier.refusal(of: token) == .untrustedRoot)
        // Known to us or not, the upper one makes four where three are the rule.
        let lenient = try JWSVerifier(policy: store.policy(roots: [store.root.der, upper.der]))
        #expect(lenient.refusal(of: token) == .chainBroken)
    }

    @Test
    func `a path over another intermediate than the one carried is refused, even if that one is configured`() throws {
        let lenient = try JWSVerifier(policy: store.policy(roots: [store.root.der, store.intermediate.der]))
        #expect(try lenient.refusal(of: store.token()) == nil)
        let sameName = try store.workshop.intermediate(by: store.root)
        #expect(try lenient.refusal(of: store.token(header: header(store.leaf, sameName))) == .chainBroken)
    }

    @Test func `a signer whose key is on another curve is refused`() throws {
        let leaf = try store.workshop.leaf(by: store.intermediate, curve: "secp384r1")
        let token = try store.token(header: header(leaf, store.intermediate), signer: store.leaf)
        #expect(verifier.refusal(of: token) == .malformedCertificate)
    }

    @Test func `a signed date after the signer's, or before the issuer's validity, is refused`() throws {
        // 2026-01-01T00:00:00Z, when the signer had expired.
        let late: Int64 = 1_767_225_600_000
        let token = try store.token(payload: TestStore.payload(signedDate: late))
        #expect(verifier.refusal(of: token) == .certificateNotValidAt(late))
        let young = try store.workshop.intermediate(
            by: store.root, validity: .init(from: "20250101000000Z", to: "20360319000000Z"))
        let leaf = try store.workshop.leaf(by: young)
        let early = try store.token(header: header(leaf, young), signer: leaf)
        #expect(verifier.refusal(of: early) == .certificateNotValidAt(TestStore.signedDate))
    }

    @Test func `swapped payloads and swapped signatures are refused`() throws {
        let mine = try store.token().split(separator: ".")
        let other = try store.token(payload: TestStore.payload(transaction: "1")).split(separator: ".")
        let swaps = [[mine[0], other[1], mine[2]], [mine[0], mine[1], other[2]], [mine[0], other[1], other[2]]]
        let refusals = swaps.map { verifier.refusal(of: $0.joined(separator: ".")) }
        #expect(refusals == [.signatureInvalid, .signatureInvalid, nil])
    }

    @Test func `a signature of another length, of zeros, in DER, or of another key is refused`() throws {
        let token = try store.token()
        let parts = token.split(separator: ".")
        let raw = try SignatureForms.bytes(base64URL: parts[2])
        for bad in [
            [], Array(raw.dropLast()), raw + [0], [UInt8](repeating: 0, count: 64), SignatureForms.der(raw: raw),
            Array(raw.suffix(32) + raw.prefix(32)), [UInt8](repeating: 0xFF, count: 64),
        ] {
            let forged = "\(parts[0]).\(parts[1])." + SignatureForms.base64URL(bad)
            #expect(verifier.refusal(of: forged) == .signatureInvalid)
        }
        let stranger = try store.workshop.leaf(by: store.intermediate)
        #expect(try verifier.refusal(of: store.token(signer: stranger)) == .signatureInvalid)
    }

    @Test func `what is not three strict base64url parts is refused`() throws {
        let token = try store.token()
        let parts = token.split(separator: ".").map(String.init)
        for bad in [
            "", ".", "..", parts[0], "\(parts[0]).\(parts[1])", token + ".", "." + token, token + ".\(parts[2])",
            token + "=", token + "\n", " " + token, "\(parts[0]).\(parts[1])=.\(parts[2])",
        ] {
            #expect(verifier.refusal(of: bad) == .malformedToken)
        }
        // The last of 86 characters carries four bits that are no part of the 64 bytes.
        let stray = token.dropLast() + (token.last == "B" ? "C" : "B")
        #expect(verifier.refusal(of: String(stray)) == .malformedToken)
    }

    @Test func `a header far longer than any real one is refused, however right it is`() throws {
        for (length, code) in [(20_000, nil), (40_000, SigningError.Code.malformedToken)] {
            let kid = String(repeating: "k", count: length)
            let token = try store.token(header: store.header(more: "\"kid\":\"\(kid)\","))
            #expect(verifier.refusal(of: token) == code)
        }
    }

    @Test func `a verifier without a readable root is refused`() throws {
        for roots in [[], [[]], [Array("canary".utf8)], [store.root.der + [0]], [store.root.der, [1, 2, 3]]] {
            #expect(throws: SigningError(.malformedRoot)) { try JWSVerifier(policy: store.policy(roots: roots)) }
        }
    }
}
