// SPDX-License-Identifier: Apache-2.0

import CLibCURL

/// Why a mail was not taken.
///
/// The server's own words are left out: they may repeat what was sent to it.
package struct MailError: Error, Sendable, Hashable {
    package enum Code: Sendable, Hashable {
        /// As for any other server: name, connection, TLS, time.
        case connection(HTTPError.Code)
        /// The server offers no TLS, and it is not on this machine.
        case notEncrypted
        /// User name or password.
        case loginRefused
        /// An answer from 500 on: the same mail will not be taken.
        case refused
        /// An answer from 400 on: it may be taken later.
        case notNow
        /// A file that should go along cannot be read.
        case unreadableFile
        /// libcurl does not take the message.
        case invalidMessage
    }

    package let code: Code
    package let host: String
    /// The server's last answer; nil before there was one.
    package let status: Int?
    /// A narrower reason in words; nil when the code says all there is.
    package let reason: String?

    init(_ code: Code, host: String, status: Int? = nil, reason: String? = nil) {
        (self.code, self.host, self.status, self.reason) = (code, host, status, reason)
    }

    /// Reads libcurl's result.
    ///
    /// An answer that says no counts before what libcurl calls it.
    init(_ result: CURLcode, host: String, status: Int, verifyResult: Int, systemError: Int) {
        let answered = status > 0 ? status : nil
        let connection = HTTPError.Code(result, phase: status > 0 ? .waiting : .connecting)
        let reason = HTTPError.Code.reason(result, verifyResult: verifyResult, systemError: systemError)
        switch result {
        case CURLE_LOGIN_DENIED where !(400...499).contains(status):
            self.init(.loginRefused, host: host, status: answered)
        case CURLE_USE_SSL_FAILED: self.init(.notEncrypted, host: host)
        case CURLE_READ_ERROR, CURLE_FILE_COULDNT_READ_FILE: self.init(.unreadableFile, host: host)
        case CURLE_ABORTED_BY_CALLBACK: self.init(.connection(.cancelled), host: host)
        case _ where (400...499).contains(status): self.init(.notNow, host: host, status: status)
        case _ where status >= 500: self.init(.refused, host: host, status: status)
        default: self.init(.connection(connection), host: host, reason: reason)
        }
    }

    /// Whether to try again, to set this mail aside, or to stop.
    package var disposition: HTTPError.Disposition {
        switch code {
        case .connection(let code): code.disposition
        case .notNow: .retry
        case .refused, .unreadableFile, .invalidMessage: .setAside
        case .notEncrypted, .loginRefused: .stop
        }
    }
}

extension MailError: CustomStringConvertible {
    package var description: String {
        let cause = reason.map { " (\($0))" } ?? ""
        let answer = status.map { " with \($0)" } ?? ""
        switch code {
        case .connection(let code): return "\(host): \(code.finding)\(cause); \(code.advice)"
        case .notEncrypted: return "\(host) offers no STARTTLS; use smtps:// or another server"
        case .loginRefused: return "\(host) refuses the login\(answer); check username and password_file"
        case .refused:
            return "\(host) refuses the mail\(answer); check the addresses, and what the server lets this account send"
        case .notNow: return "\(host) takes no mail now and answers\(answer); try again later"
        case .unreadableFile: return "a file that should go along cannot be read; check the issue's folder"
        case .invalidMessage: return "the mail cannot be sent\(cause)"
        }
    }
}
