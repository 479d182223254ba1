// SPDX-License-Identifier: Apache-2.0

/// What signs a JSON web token: a key and the one algorithm it is used with.
package protocol JWTSigner: Sendable {
    /// The algorithm's name in a token's header, such as `ES256`.
    var algorithm: String { get }

    /// The signature of the message in the form tokens carry.
    ///
    /// - Throws: `signingFailed`.
    func sign(_ message: [UInt8]) throws(SigningError) -> [UInt8]
}
