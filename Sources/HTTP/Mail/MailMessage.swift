// SPDX-License-Identifier: Apache-2.0

/// A mail to one recipient: a text, the same as HTML, and files.
package struct MailMessage: Sendable {
    /// A file that goes along; it is read while it is sent.
    package struct Attachment: Sendable, Hashable {
        /// As the recipient sees it.
        package let name: String
        package let mediaType: String
        package let path: String

        package init(name: String, mediaType: String, path: String) {
            (self.name, self.mediaType, self.path) = (name, mediaType, path)
        }
    }

    package let from: MailAddress
    package let to: MailAddress
    package let subject: String
    /// The part before the `@` of its id.
    ///
    /// The same mail again has the same one.
    package let id: String
    /// Seconds since the Unix epoch.
    package let date: Int64
    package let text: String
    package let html: String
    package let attachments: [Attachment]

    package init(
        from: MailAddress, to: MailAddress, subject: String, id: String, date: Int64, text: String, html: String,
        attachments: [Attachment]
    ) {
        (self.from, self.to, self.subject, self.id, self.date) = (from, to, subject, id, date)
        (self.text, self.html, self.attachments) = (text, html, attachments)
    }

    /// Its header lines.
    ///
    /// Whatever the subject holds, it stays within its line: it goes out encoded.
    var headers: [String] {
        [
            "From: <\(from)>", "To: <\(to)>", "Subject: \(EncodedWords.encode(subject, after: "Subject: ".count))",
            "Date: \(HTTPDate.mailText(date))", "Message-ID: <\(id.filter(Self.isIDCharacter))@\(from.domain)>",
            // No out-of-office replies, please (RFC 3834).
            "Auto-Submitted: auto-generated",
        ]
    }

    private static func isIDCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || ".-_".contains(character))
    }
}
