// SPDX-License-Identifier: Apache-2.0

package import HTTP
package import Model

/// Somebody who is notified of every issue, or of those with alerts alone.
package struct Recipient: Sendable {
    /// A file of the issue that goes along with a mail.
    package enum File: String, Sendable, CaseIterable {
        case html, xlsx

        package var name: String { "report.\(rawValue)" }

        var mediaType: String {
            switch self {
            case .html: "text/html"
            case .xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            }
        }
    }

    package enum Channel: Sendable {
        case email(MailAddress, attach: [File])
        /// Its URL: whoever has it can write there.
        case webhook(Secret)
    }

    /// What it is called in logs and in the ledger of what was sent.
    package let name: String
    package let channel: Channel
    package let onlyAlerts: Bool

    package init(name: String, channel: Channel, onlyAlerts: Bool) {
        (self.name, self.channel, self.onlyAlerts) = (name, channel, onlyAlerts)
    }

    var attachments: [File] {
        guard case .email(_, let files) = channel else { return [] }
        return files
    }
}
