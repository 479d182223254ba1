// SPDX-License-Identifier: Apache-2.0

/// The sentences people read: what failed, why, and what to do.
extension SigningError: CustomStringConvertible {
    package var description: String {
        guard let detail else { return sentence + "." }
        return "\(sentence) (\(detail))."
    }

    private var sentence: String {
        switch code {
        case .malformedKey, .wrongKeyType, .signingFailed, .unencodableToken, .malformedRoot, .libraryFailure:
            ownSideSentence
        default:
            tokenSentence
        }
    }

    /// Failures of our own keys, configuration or library.
    private var ownSideSentence: String {
        switch code {
        case .malformedKey:
            "The key could not be read; give the unencrypted key file exactly as the store issued it"
        case .wrongKeyType:
            "The key is of another kind than its use demands; give the key the store issued for this purpose"
        case .signingFailed:
            "Signing failed although the key had been accepted; try again, then check the OpenSSL installation"
        case .unencodableToken:
            "The token's header or claims could not be written as JSON; check the configured identifiers"
        case .malformedRoot:
            "A configured root certificate could not be read; give a certificate in PEM or DER form"
        default:
            "OpenSSL could not begin its work; check memory and the OpenSSL installation"
        }
    }

    /// Failures of what was received: the token is set aside.
    private var tokenSentence: String {
        switch code {
        case .algorithmRefused(let name):
            "Signed data refused: its algorithm is \(Self.printable(name)) where only ES256 is accepted"
        case .chainLength(let count):
            "Signed data refused: it carries \(count) certificates where exactly 3 are expected"
        case .malformedCertificate:
            "Signed data refused: one of its certificates is not a usable certificate in standard base64"
        case .untrustedRoot:
            "Signed data refused: its chain does not end at a configured root; check the root certificate file"
        case .chainBroken:
            "Signed data refused: its certificates do not form one chain"
        case .missingLeafExtension:
            "Signed data refused: its signer is not marked as the store's own"
        case .missingIntermediateExtension:
            "Signed data refused: its issuer is not marked as the store's authority"
        case .intermediateNotCA:
            "Signed data refused: its issuer may not issue certificates"
        case .certificateNotValidAt(let milliseconds):
            "Signed data refused: a certificate was not valid at \(milliseconds) ms since 1970"
        case .signatureInvalid:
            "Signed data refused: the signature does not belong to it"
        default:
            "Signed data refused: it is not three base64url parts with a plain header"
        }
    }

    /// The name of an algorithm as far as it is safe to print: a sender chose it.
    private static func printable(_ name: String?) -> String {
        guard let name else { return "missing" }
        let safe = name.unicodeScalars.prefix(16).filter { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        }
        return safe.isEmpty ? "unreadable" : "“\(String(String.UnicodeScalarView(safe)))”"
    }
}
