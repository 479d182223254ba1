// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Verifies the App Store's signed data: ES256 under a chain of exactly three certificates that ends at our root.
///
/// There is no revocation query (OCSP). Certificates must have been valid when the data was signed, so that stored data
/// can be verified again after they expired. The instant comes from the payload and is believed only after the
/// signature: whoever held a stolen, expired key could date back. Answers that arrive over TLS bear that.
///
/// Verification runs on the caller's thread, on any number of them; the lock is held only while the list of known
/// chains is fetched.
package final class JWSVerifier: Sendable {
    private let policy: ChainPolicy
    private let roots: RootStore
    private let cache = Mutex(ChainCache())

    /// A verifier for one policy.
    ///
    /// - Throws: `malformedRoot`.
    package init(policy: ChainPolicy) throws(SigningError) {
        self.policy = policy
        self.roots = try RootStore(policy.roots)
    }

    /// What a token says, before anybody has verified it; nil for what is no token.
    package static func unverifiedPayload(of compact: String) -> [UInt8]? {
        (try? CompactJWS(Array(compact.utf8))).flatMap { Base64URL.decode($0.payload) }
    }

    /// Verifies a token given as text; see `verify(_:fallbackValidAt:validAt:)` for bytes.
    package func verify(
        _ compact: some StringProtocol, fallbackValidAt: Int64, validAt: ([UInt8]) -> Int64?
    ) throws(SigningError) -> VerifiedJWS {
        try verify(Array(compact.utf8), fallbackValidAt: fallbackValidAt, validAt: validAt)
    }

    /// Verifies a token.
    ///
    /// `compact`: the three parts with their dots.
    /// `fallbackValidAt`: when certificates must be valid if the payload names no instant, in milliseconds since the
    /// Unix epoch.
    /// `validAt`: reads that instant from the payload, which at that moment is signed by a right chain but not yet
    /// known to be of its time; nil when it names none.
    /// Throws every code of `SigningError` about tokens, all to be set aside.
    package func verify(
        _ compact: [UInt8], fallbackValidAt: Int64, validAt: ([UInt8]) -> Int64?
    ) throws(SigningError) -> VerifiedJWS {
        let token = try CompactJWS(compact)
        let known = cache.withLock { $0 }
        let found = known.entry(for: token.header)
        let entry = if let found { found } else { try verifiedEntry(of: token.header, known: known) }
        guard let payload = Base64URL.decode(token.payload) else {
            throw SigningError(.malformedToken, detail: "its payload is not base64url")
        }
        let signature = try verifiedSignature(of: token, by: entry.chain)
        let instant = validAt(payload) ?? fallbackValidAt
        guard entry.chain.validity.contains(instant) else { throw SigningError(.certificateNotValidAt(instant)) }
        if found == nil { cache.withLock { $0.insert(entry) } }
        return VerifiedJWS(
            payload: payload, header: entry.header, spelledHeader: entry.spelling, signature: signature,
            chainID: entry.chain.id, validAt: instant)
    }

    /// Decodes a header seen for the first time and verifies its chain, unless the chain is known already.
    private func verifiedEntry(
        of text: ArraySlice<UInt8>, known: ChainCache
    ) throws(SigningError) -> ChainCache.Entry {
        guard let json = Base64URL.decode(text) else {
            throw SigningError(.malformedToken, detail: "its header is not base64url")
        }
        let header = try CompactJWS.Header.decode(json)
        let candidate = try VerifiedChain.Candidate(x5c: header.certificates)
        let chain =
            if let chain = known.chain(candidate.id) { chain } else {
                try VerifiedChain(verifying: candidate, policy: policy, roots: roots)
            }
        return ChainCache.Entry(
            text: Array(text), spelling: String(decoding: text, as: UTF8.self), header: json, chain: chain)
    }

    /// The signature, after it was found to be the leaf's over header and payload.
    private func verifiedSignature(of token: CompactJWS, by chain: VerifiedChain) throws(SigningError) -> [UInt8] {
        guard let raw = Base64URL.decode(token.signature) else {
            throw SigningError(.malformedToken, detail: "its signature is not base64url")
        }
        guard let der = ECDSASignature.read(raw: raw)?.der else {
            throw SigningError(.signatureInvalid, detail: "it does not have 64 bytes")
        }
        guard try chain.key.verifies(der, over: token.signed) else { throw SigningError(.signatureInvalid) }
        return raw
    }
}
