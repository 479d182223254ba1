// SPDX-License-Identifier: Apache-2.0

package import HTTP
package import Model

/// Who is notified of issues, how, and from where on something is an alert.
package struct DeliverySettings: Sendable {
    /// The server that takes mails, and whose they are.
    package struct Mail: Sendable {
        package let server: MailServerConfiguration
        package let from: MailAddress

        package init(server: MailServerConfiguration, from: MailAddress) {
            (self.server, self.from) = (server, from)
        }
    }

    /// Nil where no recipient has an address.
    package var mail: Mail?
    /// Where the folder of the reports is served, without a slash at its end; nil: nowhere.
    package var link: String?
    package var recipients: [Recipient]
    package var thresholds: AlertThresholds
    /// How long one `--send` goes on trying.
    package var retryFor: Span
    /// A PEM file with the only authorities to trust of webhooks; nil trusts the system's.
    package var webhookAuthorityFile: String?

    package init(
        mail: Mail?, link: String?, recipients: [Recipient], thresholds: AlertThresholds = AlertThresholds(),
        retryFor: Span = .minutes(2), webhookAuthorityFile: String? = nil
    ) {
        (self.mail, self.link, self.recipients) = (mail, link, recipients)
        (self.thresholds, self.retryFor) = (thresholds, retryFor)
        self.webhookAuthorityFile = webhookAuthorityFile
    }
}
