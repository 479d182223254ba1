// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing
import TestSupport
import Testing

/// Signed data that must pass, and what is known afterwards.
@Suite("Signed data that passes")
struct JWSAcceptanceTests {
    private let store: TestStore
    private let verifier: JWSVerifier

    init() throws {
        store = try TestStore()
        verifier = try JWSVerifier(policy: store.policy)
    }

    @Test func `a good chain gives back header, payload, signature and the chain's identity`() throws {
        let token = try store.token()
        let parts = try token.split(separator: ".").map { try SignatureForms.bytes(base64URL: $0) }
        let chain = try store.workshop.tool.write(store.leaf.der + store.intermediate.der)
        let digest = try store.workshop.tool.run("dgst", "-sha256", "-r", chain)
        for _ in 1...2 {
            let verified = try verifier.verify(token)
            #expect(verified.header == parts[0])
            #expect(verified.spelledHeader == token.prefix { $0 != "." })
            #expect(verified.payload == parts[1])
            #expect(verified.signature == parts[2])
            #expect(verified.validAt == TestStore.signedDate)
            #expect(verified.chainID == String(decoding: digest.prefix(64), as: UTF8.self))
        }
    }

    @Test func `text, a part of a text and bytes are the same token`() throws {
        let token = try store.token()
        let line = "<" + token + ">"
        _ = try verifier.verify(line.dropFirst().dropLast(), fallbackValidAt: 0) { signedDate(of: $0) }
        _ = try verifier.verify(Array(token.utf8), fallbackValidAt: 0) { signedDate(of: $0) }
    }

    @Test func `a root may be configured in PEM, among others, and a token may leave its own root out of it`() throws {
        let other = try store.workshop.root(subject: "Another Root")
        let policy = store.policy(roots: [other.der, store.root.pem])
        #expect(try JWSVerifier(policy: policy).refusal(of: store.token()) == nil)
        let bundle = store.policy(roots: [other.pem + store.root.pem])
        #expect(try JWSVerifier(policy: bundle).refusal(of: store.token()) == nil)
    }

    @Test func `what a token carries as its root makes no difference to a good chain`() throws {
        let other = try store.workshop.root(subject: "Attacker Root")
        let header = store.header([store.leaf.base64, store.intermediate.base64, other.base64])
        #expect(try verifier.refusal(of: store.token(header: header)) == nil)
    }

    @Test func `a signer that has expired by today was valid when it signed`() throws {
        let leaf = try store.workshop.leaf(
            by: store.intermediate, validity: .init(from: "20220101000000Z", to: "20230101000000Z"))
        let header = store.header([leaf.base64, store.intermediate.base64, store.root.base64])
        // 2022-06-01T00:00:00Z
        let payload = TestStore.payload(signedDate: 1_654_041_600_000)
        #expect(try verifier.refusal(of: store.token(header: header, payload: payload, signer: leaf)) == nil)
    }

    @Test
    func `the first and the last millisecond of a signer's validity are inside it, their neighbours are not`() throws {
        // 2023-09-19T00:00:00Z and 2025-10-11T23:59:59Z
        let (first, last): (Int64, Int64) = (1_695_081_600_000, 1_760_227_199_999)
        for (date, code) in [
            (first - 1, SigningError.Code.certificateNotValidAt(first - 1)), (first, nil), (last, nil),
            (last + 1, .certificateNotValidAt(last + 1)),
        ] {
            #expect(try verifier.refusal(of: store.token(payload: TestStore.payload(signedDate: date))) == code)
        }
    }

    @Test func `a payload without a date is verified at the fallback`() throws {
        let token = try store.token(payload: TestStore.payload(signedDate: nil))
        let verified = try verifier.verify(token, fallbackValidAt: TestStore.signedDate + 5) { signedDate(of: $0) }
        #expect(verified.validAt == TestStore.signedDate + 5)
        #expect(verifier.refusal(of: token) == .certificateNotValidAt(0))
    }
}
