// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing
import TestSupport
import Testing

/// A chain that is known already must not excuse anything.
@Suite("Known chains")
struct JWSCacheTests {
    private let store: TestStore
    private let verifier: JWSVerifier

    init() throws {
        store = try TestStore()
        verifier = try JWSVerifier(policy: store.policy)
        _ = try verifier.verify(store.token())
    }

    @Test func `a wrong signature under a known header is refused`() throws {
        let parts = try store.token().split(separator: ".")
        let other = try store.token(payload: TestStore.payload(transaction: "1")).split(separator: ".")
        #expect(verifier.refusal(of: "\(parts[0]).\(parts[1]).\(other[2])") == .signatureInvalid)
        let stranger = try store.workshop.leaf(by: store.intermediate)
        #expect(try verifier.refusal(of: store.token(signer: stranger)) == .signatureInvalid)
    }

    @Test func `a date outside the window under a known header is refused`() throws {
        let late: Int64 = 1_767_225_600_000
        let token = try store.token(payload: TestStore.payload(signedDate: late))
        #expect(verifier.refusal(of: token) == .certificateNotValidAt(late))
    }

    @Test
    func `a known chain under another header is still checked for the algorithm, the length and the spelling`() throws {
        #expect(try verifier.refusal(of: store.token(header: store.header(more: #""kid":"1","#))) == nil)
        #expect(
            try verifier.refusal(of: store.token(header: store.header(algorithm: "none"))) == .algorithmRefused("none"))
        let short = store.header([store.leaf.base64, store.intermediate.base64])
        #expect(try verifier.refusal(of: store.token(header: short)) == .chainLength(2))
    }

    @Test func `a known chain does not lend its trust to another leaf or another intermediate`() throws {
        let leaf = try store.workshop.leaf(by: store.intermediate, oid: nil)
        let header = store.header([leaf.base64, store.intermediate.base64, store.root.base64])
        #expect(try verifier.refusal(of: store.token(header: header, signer: leaf)) == .missingLeafExtension)
        let stranger = try store.workshop.intermediate(by: store.workshop.root())
        let mixed = store.header([store.leaf.base64, stranger.base64, store.root.base64])
        #expect(try verifier.refusal(of: store.token(header: mixed)) == .chainBroken)
    }

    @Test func `a refused token leaves nothing behind that would let it pass the second time`() throws {
        let fresh = try JWSVerifier(policy: store.policy)
        let late = try store.token(payload: TestStore.payload(signedDate: 1_767_225_600_000))
        let stranger = try store.token(signer: store.workshop.leaf(by: store.intermediate))
        for _ in 1...2 {
            #expect(fresh.refusal(of: late) == .certificateNotValidAt(1_767_225_600_000))
            #expect(fresh.refusal(of: stranger) == .signatureInvalid)
        }
    }

    @Test func `more headers than the cache has room for are all verified, the first again after it was pushed out`()
        throws
    {
        for number in 0..<70 {
            let token = try store.token(header: store.header(more: "\"kid\":\"\(number)\","))
            #expect(verifier.refusal(of: token) == nil)
        }
        #expect(try verifier.refusal(of: store.token()) == nil)
    }

    @Test func `eight tasks verify 2,000 times each, right and wrong tokens, and agree`() async throws {
        let good = try (0..<4).map { try store.token(payload: TestStore.payload(transaction: "\($0)")) }
        let parts = good.map { $0.split(separator: ".") }
        let bad = "\(parts[0][0]).\(parts[0][1]).\(parts[1][2])"
        let fresh = try JWSVerifier(policy: store.policy)
        let counts = await withTaskGroup(of: (accepted: Int, refused: Int).self) { group in
            for task in 0..<8 {
                group.addTask {
                    var counts = (accepted: 0, refused: 0)
                    for round in 0..<2000 {
                        let isBad = round % 10 == 9
                        let refusal = fresh.refusal(of: isBad ? bad : good[(round + task) % good.count])
                        if refusal == nil, !isBad { counts.accepted += 1 }
                        if refusal == .signatureInvalid, isBad { counts.refused += 1 }
                    }
                    return counts
                }
            }
            return await group.reduce(into: (accepted: 0, refused: 0)) {
                $0.accepted += $1.accepted
                $0.refused += $1.refused
            }
        }
        #expect(counts.accepted == 14_400)
        #expect(counts.refused == 1_600)
    }
}
