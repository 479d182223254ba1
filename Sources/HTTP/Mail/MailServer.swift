// SPDX-License-Identifier: Apache-2.0

package import Logging
import Foundation

/// Hands mails to a server by SMTP.
///
/// Encrypted, unless the server is on this machine; its certificate is always verified.
package struct MailServer: Sendable {
    private let configuration: MailServerConfiguration
    private let logger: Logger

    package init(_ configuration: MailServerConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    /// Returns once the server has taken the mail.
    ///
    /// On a thread of its own: SMTP is a talk, and libcurl blocks through it.
    package func send(_ message: MailMessage) async throws(MailError) {
        let cancellation = Cancellation()
        let configuration = configuration
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<MailError?, Never>) in
                let thread = Thread {
                    BrokenPipeSignal.blockHere()
                    continuation.resume(returning: MailTransfer.run(message, to: configuration, cancellation))
                }
                thread.name = "subledger.mail"
                thread.start()
            }
        } onCancel: {
            cancellation.request()
        }
        guard let error else { return }
        if error.code == .connection(.tlsVerificationFailed) { logger.warning("no mail was sent: \(error)") }
        throw error
    }
}
