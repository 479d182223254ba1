// SPDX-License-Identifier: Apache-2.0

import CLibCURL

/// How far an exchange got: libcurl uses some of its codes for different failures before and after.
enum TransferPhase: Sendable {
    /// No connection is ready yet.
    case connecting
    /// The request is being sent, or was; nothing has come back.
    case waiting
    /// At least one header line has come.
    case receiving
}

extension HTTPError.Code {
    /// Reads libcurl's result as ours.
    ///
    /// Codes that cannot occur with the options in use count as a protocol error.
    init(_ result: CURLcode, phase: TransferPhase) {
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .dns
        case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_NO_CONNECTION_AVAILABLE: self = .connectFailed
        case CURLE_OPERATION_TIMEDOUT: self = phase == .connecting ? .connectTimedOut : .totalTimedOut
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            self = .tlsVerificationFailed
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT,
            CURLE_USE_SSL_FAILED:
            self = .tlsFailed
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_SEND_FAIL_REWIND, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            // Over HTTP/2 these are GOAWAY, a refused stream and a reset stream: all may succeed elsewhere.
            self = .reset
        case CURLE_PARTIAL_FILE: self = .truncated
        case CURLE_FILESIZE_EXCEEDED: self = .bodyTooLarge
        case CURLE_OUT_OF_MEMORY:
            // What libcurl says of one header line that outgrows its own buffer.
            self = phase == .connecting ? .protocolError : .headersTooLarge
        case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT: self = .invalidRequest
        case CURLE_UNSUPPORTED_PROTOCOL:
            // Also what libcurl says of an answer without a status line.
            self = phase == .connecting ? .invalidRequest : .protocolError
        default: self = .protocolError
        }
    }

    /// Words for libcurl's result that hold nothing of the request.
    static func reason(_ result: CURLcode, verifyResult: Int, systemError: Int) -> String {
        switch result {
        case CURLE_SSL_CACERT_BADFILE: return "the file of trusted authorities cannot be read"
        case CURLE_PEER_FAILED_VERIFICATION: return verificationReason(verifyResult)
        case CURLE_COULDNT_CONNECT where systemError != 0: return "system error \(systemError)"
        default: return "libcurl code \(result.rawValue)"
        }
    }

    /// The X509_V_ERR codes that have a usual cause.
    ///
    /// OpenSSL leaves the host name to libcurl, which leaves the code at its first value, 1, when the name does not
    /// match.
    private static func verificationReason(_ code: Int) -> String {
        switch code {
        case 1, 62: "the certificate is for another host name"
        case 9: "the certificate is not valid yet"
        case 10: "the certificate has expired"
        case 18, 19: "the certificate is self-signed"
        case 2, 20, 21: "the certificate's issuer is not trusted"
        default: "OpenSSL verification code \(code)"
        }
    }
}
