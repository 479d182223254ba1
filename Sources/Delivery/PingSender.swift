// SPDX-License-Identifier: Apache-2.0

import HTTP
package import Logging
package import Model

/// Pings a service that awaits nights: one request to a URL that is a secret.
///
/// A ping that fails is a line in the log, without the URL, and nothing else.
package struct PingSender: Sendable {
    private static let limits = HTTPLimits(
        connect: .seconds(5), firstByte: .seconds(10), total: .seconds(15), maximumBodyBytes: 1 << 20)
    private static let attempts = 3

    private let logger: Logger
    private let pause: Duration

    /// `pause`: between two attempts.
    package init(logger: Logger, pause: Duration = .seconds(1)) {
        (self.logger, self.pause) = (logger, pause)
    }

    package func send(_ event: PingEvent, to url: Secret) async {
        let client = HTTPClient(HTTPClientConfiguration(version: .http1, limits: Self.limits), logger: logger)
        var failure: String?
        for attempt in 1...Self.attempts {
            failure = await Self.failure(of: client, url)
            guard failure != nil, attempt < Self.attempts, (try? await Task.sleep(for: pause)) != nil else { break }
        }
        await client.shutdown()
        guard let failure else { return }
        logger.warning("the ping of ping.\(event.rawValue)_file was not sent: \(failure); the night is as it was")
    }

    /// No word of the address: not even the host.
    private static func failure(of client: HTTPClient, _ url: Secret) async -> String? {
        do throws(HTTPError) {
            let response = try await client.send(HTTPRequest(url: url.reveal(), route: "/{ping}"))
            return (200..<300).contains(response.status) ? nil : "the service answers \(response.status)"
        } catch {
            return error.code.finding
        }
    }
}
