// SPDX-License-Identifier: Apache-2.0

/// Why no answer came.
///
/// An answer with an unwelcome status is a response, not an error.
package struct HTTPError: Error, Sendable, Hashable {
    /// What went wrong.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The host's name could not be resolved.
        case dns
        /// No TCP connection could be made.
        case connectFailed
        /// Connecting took longer than `HTTPLimits.connect`.
        case connectTimedOut
        /// The server stayed silent for longer than `HTTPLimits.firstByte`.
        case firstByteTimedOut
        /// The answer came more slowly than the limits allow.
        case tooSlow
        /// The exchange took longer than `HTTPLimits.total`.
        case totalTimedOut
        /// The server's certificate was not accepted: a security event.
        case tlsVerificationFailed
        /// The TLS handshake failed for another reason.
        case tlsFailed
        /// The connection or the stream was closed before an answer was complete.
        case reset
        /// Fewer body bytes came than were announced.
        case truncated
        /// The body is larger than `HTTPLimits.maximumBodyBytes`.
        case bodyTooLarge
        /// The headers are larger than `HTTPLimits.maximumHeaderBytes`.
        case headersTooLarge
        /// The answer does not follow HTTP.
        case protocolError
        /// The request cannot be sent as it is.
        case invalidRequest
        /// The task that asked was cancelled.
        case cancelled
        /// The client was shut down.
        case shutDown
    }

    /// What the caller should do with the item the request was for.
    package enum Disposition: Sendable, Hashable {
        /// May succeed if repeated.
        case retry
        /// Will fail again for this item; others may go on.
        case setAside
        /// Nothing should be sent any more.
        case stop
    }

    /// What went wrong.
    package let code: Code

    /// The host asked.
    package let host: String

    /// The template of the path asked for.
    package let route: String

    /// A narrower reason in words, never the server's own; nil when the code says all there is.
    package let reason: String?

    /// Makes an error about one request.
    package init(_ code: Code, host: String, route: String, reason: String? = nil) {
        self.code = code
        self.host = host
        self.route = route
        self.reason = reason
    }

    /// Whether to ask again, to set the item aside, or to stop asking.
    package var disposition: Disposition { code.disposition }
}

extension HTTPError.Code {
    package var disposition: HTTPError.Disposition {
        switch self {
        case .dns, .connectFailed, .connectTimedOut, .firstByteTimedOut, .tooSlow, .totalTimedOut, .tlsFailed,
            .reset, .truncated, .protocolError:
            .retry
        case .bodyTooLarge, .headersTooLarge, .invalidRequest:
            .setAside
        case .tlsVerificationFailed, .cancelled, .shutDown:
            .stop
        }
    }
}

extension HTTPError: CustomStringConvertible {
    package var description: String {
        let cause = reason.map { " (\($0))" } ?? ""
        return "No answer from \(host) for \(route): \(code.finding)\(cause); \(code.advice)."
    }
}

extension HTTPError.Code {
    /// What went wrong, in words that name no address.
    package var finding: String {
        switch self {
        case .dns: "the host name could not be resolved"
        case .connectFailed: "the connection could not be made"
        case .connectTimedOut: "connecting took longer than allowed"
        case .firstByteTimedOut: "the server stayed silent longer than allowed"
        case .tooSlow: "the answer came more slowly than allowed"
        case .totalTimedOut: "the exchange took longer than allowed"
        case .tlsVerificationFailed: "the server's certificate was not accepted"
        case .tlsFailed: "the TLS handshake failed"
        case .reset: "the connection was closed before the answer was complete"
        case .truncated: "the answer was shorter than announced"
        case .bodyTooLarge: "the answer's body is larger than allowed"
        case .headersTooLarge: "the answer's headers are larger than allowed"
        case .protocolError: "the answer does not follow HTTP"
        case .invalidRequest: "the request cannot be sent"
        case .cancelled: "the request was cancelled"
        case .shutDown: "the client was shut down"
        }
    }

    var advice: String {
        switch self {
        case .dns: "try again, and check the host's name and the resolver"
        case .connectFailed, .connectTimedOut: "try again, and check the network and the firewall"
        case .firstByteTimedOut, .tooSlow, .totalTimedOut, .reset, .truncated, .protocolError: "try again later"
        case .tlsVerificationFailed: "do not try again before the certificate and the trusted authorities are checked"
        case .tlsFailed: "try again, and check that the server offers TLS 1.2 or newer"
        case .bodyTooLarge, .headersTooLarge: "set the item aside, or raise the limit if the size is expected"
        case .invalidRequest: "set the item aside and correct the request"
        case .cancelled, .shutDown: "ask again in the next run"
        }
    }
}
