// SPDX-License-Identifier: Apache-2.0

/// Why a key, a token or a signature was refused, and what the caller should do about it.
///
/// Neither the code nor the sentence ever holds a token, a payload, a signature or key bytes. Two errors are equal
/// when their codes are: the detail is for people.
package struct SigningError: Error, Sendable {
    /// What went wrong, for the program.
    package let code: Code

    /// What OpenSSL or the check added, for people; already free of secrets.
    package let detail: String?

    /// An error of the given kind, with a remark that must not quote any input.
    package init(_ code: Code, detail: String? = nil) {
        self.code = code
        self.detail = detail
    }

    /// What went wrong.
    package enum Code: Sendable, Hashable {
        /// The text is not a key this program can read (not PEM, encrypted, or damaged).
        case malformedKey
        /// A readable key of another kind or size than the algorithm needs.
        case wrongKeyType
        /// OpenSSL could not sign with a key it had accepted.
        case signingFailed
        /// Header or claims could not be written as JSON.
        case unencodableToken
        /// Not three base64url parts with a JSON header, or a header with an extension that is not understood here.
        case malformedToken
        /// The header names another algorithm than the one fixed here, or none (nil).
        case algorithmRefused(String?)
        /// The header does not carry exactly three certificates.
        case chainLength(Int)
        /// A certificate of the header is not a DER certificate in standard base64, or has no P-256 key as a leaf.
        case malformedCertificate
        /// A configured root is not a certificate.
        case malformedRoot
        /// The chain is sound but ends at a root that is not configured.
        case untrustedRoot
        /// A certificate of the chain was not issued by the next one.
        case chainBroken
        /// The leaf lacks the extension that marks the store's own signer.
        case missingLeafExtension
        /// The intermediate lacks the extension that marks the store's authority.
        case missingIntermediateExtension
        /// The intermediate may not issue certificates.
        case intermediateNotCA
        /// A certificate of the chain was not valid at that instant (milliseconds since the Unix epoch).
        case certificateNotValidAt(Int64)
        /// The signature does not belong to this header and payload.
        case signatureInvalid
        /// OpenSSL could not even begin (out of memory, no provider).
        case libraryFailure
    }

    /// What the caller should do: the only question it has.
    package enum Disposition: Sendable, Hashable {
        /// The same call may succeed later.
        case retry
        /// This token never will; keep it aside and go on with the others.
        case setAside
        /// No token will: the configuration must be corrected first.
        case stop
    }

    /// Whether to try again, set the token aside, or stop the run.
    package var disposition: Disposition {
        switch code {
        case .signingFailed, .libraryFailure: .retry
        case .malformedKey, .wrongKeyType, .malformedRoot, .unencodableToken: .stop
        case .malformedToken, .algorithmRefused, .chainLength, .malformedCertificate, .untrustedRoot, .chainBroken,
            .missingLeafExtension, .missingIntermediateExtension, .intermediateNotCA, .certificateNotValidAt,
            .signatureInvalid:
            .setAside
        }
    }
}

extension SigningError: Equatable {
    package static func == (left: SigningError, right: SigningError) -> Bool {
        left.code == right.code
    }
}
