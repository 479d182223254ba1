// SPDX-License-Identifier: Apache-2.0

import Foundations
import HTTP
import Model
import Signing

/// A message to one recipient, as it is recorded in the ledger of what was sent.
struct DeliveryMessage: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// Of a new issue.
        case digest
        /// Of an issue that was sent when it was fresh, and which no other one has followed.
        case stale
        /// Of an issue after which another one is owed and not there.
        case missing
    }

    let kind: Kind
    let seal: Int64
    let recipient: Recipient
    let digest: Digest
    let folder: String
    /// Of the manifest: with the recipient it makes the mail's id, which is the same whenever the mail is sent.
    let manifestSHA256: String
    /// How often it was sent on demand again: a mail program drops a second mail of the same id.
    let repetition: Int64
    let now: Instant

    /// Of an e-mail; nil for any other recipient.
    func mail(from: MailAddress) -> MailMessage? {
        guard case .email(let address, let files) = recipient.channel else { return nil }
        let text = DigestText(digest: digest)
        return MailMessage(
            from: from, to: address, subject: digest.subject, id: mailID, date: now.micros / 1_000_000,
            text: text.plain, html: text.html,
            attachments: files.map {
                MailMessage.Attachment(name: $0.name, mediaType: $0.mediaType, path: "\(folder)/\($0.name)")
            })
    }

    var mailID: String {
        let parts = [manifestSHA256, recipient.name, kind.rawValue] + (repetition > 0 ? [String(repetition)] : [])
        return Hex.encode(Array(SHA256.digest(of: parts.joined(separator: "\u{0}")).prefix(16)))
    }
}
