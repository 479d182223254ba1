// SPDX-License-Identifier: Apache-2.0

import HTTP
import Logging
import Model

/// Sends a message once, and says what became of it.
///
/// No URL of a webhook and no password is in what it says.
struct MessageSender: Sendable {
    private let client: HTTPClient
    private let mail: DeliverySettings.Mail?
    private let server: MailServer?

    init(_ settings: DeliverySettings, logger: Logger) {
        client = HTTPClient(
            HTTPClientConfiguration(version: .http1, certificateAuthorityFile: settings.webhookAuthorityFile),
            logger: logger)
        mail = settings.mail
        server = settings.mail.map { MailServer($0.server, logger: logger) }
    }

    /// Nil once it was taken.
    ///
    /// Throws `CancellationError` where the job is to end.
    func send(_ message: DeliveryMessage) async throws -> FailedAttempt? {
        let failure =
            switch message.recipient.channel {
            case .email: await mail(message)
            case .webhook(let url): await post(message, to: url)
            }
        // A message that was taken is reported, whatever else is to end.
        if failure != nil { try Task.checkCancellation() }
        return failure
    }

    func shutdown() async { await client.shutdown() }

    private func mail(_ message: DeliveryMessage) async -> FailedAttempt? {
        guard let server, let mail, let text = message.mail(from: mail.from) else {
            return FailedAttempt(reason: "reports.send.smtp is missing", retry: .never)
        }
        do throws(MailError) {
            try await server.send(text)
            return nil
        } catch {
            return FailedAttempt(reason: "\(error)", retry: Self.retry(error.disposition))
        }
    }

    private func post(_ message: DeliveryMessage, to url: Secret) async -> FailedAttempt? {
        guard let body = try? SlackMessage(message.digest).json() else {
            return FailedAttempt(reason: "the message cannot be written as JSON", retry: .never)
        }
        let request = HTTPRequest(
            method: .post, url: url.reveal(), route: "/{webhook}",
            headers: [("Content-Type", "application/json; charset=utf-8")], body: body)
        do throws(HTTPError) {
            let response = try await client.send(request)
            return Self.failure(response.status, retryAfter: response.headers["retry-after"], now: message.now)
        } catch {
            return FailedAttempt(reason: "\(error)", retry: Self.retry(error.disposition))
        }
    }

    /// What an answer of a webhook means; nil: taken.
    static func failure(_ status: Int, retryAfter: String?, now: Instant) -> FailedAttempt? {
        let stated = retryAfter.flatMap { RetryAfter.wait($0, nowMilliseconds: now.milliseconds) }
        switch status {
        case 200..<300: return nil
        case 408, 425, 429, 500...:
            return FailedAttempt(reason: "the webhook answers \(status); try again later", retry: .later(stated))
        default:
            return FailedAttempt(
                reason: "the webhook answers \(status); check the URL in webhook_file and what it may post to",
                retry: .never)
        }
    }

    private static func retry(_ disposition: HTTPError.Disposition) -> FailedAttempt.Retry {
        disposition == .retry ? .later(nil) : .never
    }
}
