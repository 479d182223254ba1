// SPDX-License-Identifier: Apache-2.0

package import Logging

/// Sends requests and returns complete answers, many at a time, over few long-lived connections.
///
/// One client per program is enough: requests to one host share its connections, hosts do not hold each other up, and
/// every answer is bounded by `HTTPLimits`. TLS certificates and names are always verified, redirects are never
/// followed, the environment's proxies are not used.
package final class HTTPClient: Sendable {
    private let configuration: HTTPClientConfiguration
    private let logger: Logger
    private let mailbox = Mailbox()

    /// Starts the client's thread; connections are made when they are needed.
    package init(_ configuration: HTTPClientConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        TransferLoop.start(mailbox, configuration)
    }

    deinit {
        mailbox.stop()
    }

    /// Sends a request and waits for the whole answer, whatever its status.
    ///
    /// Cancelling the task aborts the transfer and throws `.cancelled`. Throws an error that says whether to try
    /// again when no complete answer came within the limits.
    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let checked = try CheckedRequest(request)
        let cancellation = Cancellation()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                mailbox.submit(
                    Exchange(
                        checked, limits: configuration.limits, cancellation: cancellation, continuation: continuation))
            }
        } onCancel: {
            mailbox.cancel(cancellation)
        }
        if case .failure(let error) = outcome { log(error) }
        return try outcome.get()
    }

    /// Aborts what is in flight with `.shutDown`, closes the connections and returns when the thread has ended.
    ///
    /// Requests sent afterwards fail with `.shutDown`.
    package func shutdown() async {
        mailbox.stop()
        await mailbox.waitForEnd()
    }

    /// A certificate that is not accepted is worth a person's attention whatever the caller makes of it; all else is
    /// the caller's to report.
    private func log(_ error: HTTPError) {
        logger.log(
            level: error.code == .tlsVerificationFailed ? .warning : .debug, "no answer",
            metadata: [
                HTTPLogKey.host: "\(error.host)",
                HTTPLogKey.route: "\(error.route)",
                HTTPLogKey.code: "\(error.code.rawValue)",
                HTTPLogKey.reason: "\(error.reason ?? "")",
            ])
    }
}

/// The names of what the client logs.
private enum HTTPLogKey {
    static let host = "http.host"
    static let route = "http.route"
    static let code = "http.error"
    static let reason = "http.reason"
}
