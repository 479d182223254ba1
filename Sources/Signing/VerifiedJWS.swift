// SPDX-License-Identifier: Apache-2.0

/// Signed data whose signature and chain were found right.
package struct VerifiedJWS: Sendable {
    /// The payload, byte for byte as it was signed.
    package let payload: [UInt8]

    /// The header's JSON, byte for byte; the same array for all tokens that share it.
    package let header: [UInt8]

    /// The header as the token spells it, base64url; the same string for all tokens that share it.
    package let spelledHeader: String

    /// r and s of the signature, 64 bytes; with header and payload it allows a later verification.
    package let signature: [UInt8]

    /// Lower-case hexadecimal SHA-256 of the DER of leaf and intermediate, one after the other.
    package let chainID: String

    /// The instant (milliseconds since the Unix epoch) at which the certificates were found valid.
    package let validAt: Int64
}
