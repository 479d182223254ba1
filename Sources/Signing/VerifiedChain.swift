// SPDX-License-Identifier: Apache-2.0

import Foundations

/// A chain of certificates that leads to a configured root: all that later tokens under it need.
struct VerifiedChain: Sendable {
    /// Lower-case hexadecimal SHA-256 of the leaf's and the intermediate's DER, one after the other.
    let id: String

    /// The leaf's key.
    let key: PreparedKey

    /// Milliseconds since the Unix epoch at which leaf, intermediate and root are all valid.
    let validity: ClosedRange<Int64>
}

extension VerifiedChain {
    /// Name and raw bytes of a chain that is not verified yet.
    struct Candidate: Sendable {
        /// DER of the signer's certificate.
        let leaf: [UInt8]

        /// DER of its issuer's certificate.
        let intermediate: [UInt8]

        /// Lower-case hexadecimal SHA-256 of both.
        let id: String

        /// Takes the three certificates of a header; the third is checked for its spelling and never believed.
        init(x5c: [String]) throws(SigningError) {
            guard x5c.count == 3 else { throw SigningError(.chainLength(x5c.count)) }
            guard let leaf = Base64.decode(x5c[0]), let intermediate = Base64.decode(x5c[1]),
                Base64.decode(x5c[2]) != nil
            else { throw SigningError(.malformedCertificate, detail: "not standard base64") }
            self.leaf = leaf
            self.intermediate = intermediate
            self.id = Hex.encode(SHA256.digest(leaf + intermediate))
        }
    }

    /// Verifies everything about a chain that does not depend on the time.
    init(verifying candidate: Candidate, policy: ChainPolicy, roots: RootStore) throws(SigningError) {
        guard let leaf = Certificate.read(der: candidate.leaf),
            let intermediate = Certificate.read(der: candidate.intermediate)
        else { throw OpenSSLErrorQueue.error(.malformedCertificate) }
        guard leaf.hasExtension(policy.leafOID) else { throw SigningError(.missingLeafExtension) }
        guard intermediate.hasExtension(policy.intermediateOID) else {
            throw SigningError(.missingIntermediateExtension)
        }
        guard intermediate.mayIssueCertificates else { throw SigningError(.intermediateNotCA) }
        let rootValidity = try CertificatePath.validate(leaf: leaf, intermediate: intermediate, roots: roots)
        let key = try leaf.publicKey()
        guard key.isP256 else { throw SigningError(.malformedCertificate, detail: "the signer's key is not P-256") }
        self.id = candidate.id
        self.key = try PreparedKey(key, for: .verifying, of: .sha256)
        self.validity = try Self.overlap(leaf.validity, intermediate.validity, rootValidity)
    }

    /// The instants at which all three are valid; a chain that never was one is broken.
    private static func overlap(
        _ leaf: ClosedRange<Int64>?, _ intermediate: ClosedRange<Int64>?, _ root: ClosedRange<Int64>
    ) throws(SigningError) -> ClosedRange<Int64> {
        guard let leaf, let intermediate else { throw SigningError(.malformedCertificate, detail: "no validity") }
        let first = max(leaf.lowerBound, intermediate.lowerBound, root.lowerBound)
        let last = min(leaf.upperBound, intermediate.upperBound, root.upperBound)
        guard first <= last else { throw SigningError(.chainBroken, detail: "never valid together") }
        return first...last
    }
}
