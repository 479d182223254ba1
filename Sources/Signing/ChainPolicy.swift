// SPDX-License-Identifier: Apache-2.0

/// Which chains of certificates a store's signed data may carry.
package struct ChainPolicy: Sendable {
    /// The only roots believed, each in DER or PEM; what a token carries as its root is never one.
    package let roots: [[UInt8]]

    /// Dotted identifier of the extension that the signer's certificate must have.
    package let leafOID: String

    /// Dotted identifier of the extension that the issuer's certificate must have.
    package let intermediateOID: String

    /// A policy; whether its roots can be read shows when a verifier is made of it.
    package init(roots: [[UInt8]], leafOID: String, intermediateOID: String) {
        self.roots = roots
        self.leafOID = leafOID
        self.intermediateOID = intermediateOID
    }
}
