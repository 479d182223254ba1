// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import HTTP
import Model
import Yams

/// Reads `reports.send`: who is notified of issues, and how.
struct DeliveryReader {
    static let keys = ["smtp", "link", "recipients", "alerts", "retry_for", "webhook_ca_file"]
    private static let smtpKeys = ["url", "from", "username", "password_file", "ca_file"]
    private static let recipientKeys = ["name", "email", "webhook_file", "attach", "only_alerts"]
    let section: Section
    let files: Files

    /// Nil only where something was found.
    func read() -> DeliverySettings? {
        let mail = mail()
        let link = section.url("link")
        let recipients = recipients()
        let thresholds = ThresholdReader(section: section).read()
        let retryFor = section.span("retry_for")
        let authority = section.file("webhook_ca_file", files)
        guard let thresholds else { return nil }
        return DeliverySettings(
            mail: mail, link: link, recipients: recipients, thresholds: thresholds, retryFor: retryFor ?? .minutes(2),
            webhookAuthorityFile: authority)
    }

    private func mail() -> DeliverySettings.Mail? {
        guard section.has("smtp"), let smtp = section.section("smtp", keys: Self.smtpKeys) else { return nil }
        let authority = smtp.file("ca_file", files)
        let url = smtp.requiredText("url")
        let from = address("from", in: smtp, isRequired: true)
        let username = smtp.text("username")
        let password = username == nil ? nil : smtp.requiredSecret("password_file", files)
        if username == nil { smtp.refuse(["password_file"], because: "stands without username") }
        guard let url, let from, let server = server(url, authority: authority, in: smtp) else { return nil }
        var configured = server
        (configured.username, configured.password) = (username, password?.reveal())
        return DeliverySettings.Mail(server: configured, from: from)
    }

    private func server(_ url: String, authority: String?, in smtp: Section) -> MailServerConfiguration? {
        do throws(MailServerConfiguration.Refusal) {
            return try MailServerConfiguration(url: url, certificateAuthorityFile: authority)
        } catch {
            smtp.find("url", error.reason)
            return nil
        }
    }

    private func recipients() -> [Recipient] {
        let entries = section.list("recipients")
        if entries.isEmpty {
            section.find("recipients", section.has("recipients") ? "names nobody" : "is missing: name at least one")
        }
        let recipients = entries.enumerated().compactMap { index, entry in
            Section(
                entry.node, path: section.name("recipients[\(index)]"), line: entry.line, keys: Self.recipientKeys,
                findings: section.findings
            ).flatMap { recipient in self.recipient(recipient).map { (entry.line, $0) } }
        }
        for (index, (line, recipient)) in recipients.enumerated()
        where recipients[..<index].contains(where: { $0.1.name == recipient.name }) {
            section.findings.add("\(section.name("recipients")): \(recipient.name) stands twice", line: line)
        }
        return recipients.map(\.1)
    }

    private func recipient(_ recipient: Section) -> Recipient? {
        let name = recipient.text("name", being: "a short name without control characters") { text in
            text.utf8.count <= 100 && PlainText.isPlain(text)
        }
        let onlyAlerts = recipient.text("only_alerts", being: "true or false") { ["true", "false"].contains($0) }
        let channel: (channel: Recipient.Channel, name: String)?
        switch (recipient.has("email"), recipient.has("webhook_file")) {
        case (true, false): channel = email(recipient)
        case (false, true): channel = webhook(recipient)
        case (true, true):
            recipient.find("webhook_file", "cannot stand beside email: make it a recipient of its own")
            channel = nil
        case (false, false):
            recipient.find("email", "is missing: an address, or a webhook_file")
            channel = nil
        }
        guard let channel else { return nil }
        return Recipient(name: name ?? channel.name, channel: channel.channel, onlyAlerts: onlyAlerts == "true")
    }

    private func email(_ recipient: Section) -> (Recipient.Channel, String)? {
        if !section.has("smtp") { recipient.find("email", "needs \(section.name("smtp"))") }
        let files = recipient.list("attach").compactMap { entry -> Recipient.File? in
            if let file = entry.node.string.flatMap(Recipient.File.init) { return file }
            section.findings.add("\(recipient.name("attach")) must be a list of html and xlsx", line: entry.line)
            return nil
        }
        guard let address = address("email", in: recipient, isRequired: true) else { return nil }
        return (.email(address, attach: Recipient.File.allCases.filter(files.contains)), address.description)
    }

    /// The ledger of what was sent knows a webhook by its name: its URL is nothing to be kept.
    private func webhook(_ recipient: Section) -> (Recipient.Channel, String)? {
        recipient.refuse(["attach"], because: "is for mails: a webhook takes no files")
        guard let name = recipient.requiredText("name"), let url = recipient.secret("webhook_file", files) else {
            return nil
        }
        guard !files.areRead || Section.isURL(url.reveal()) else {
            recipient.find(
                "webhook_file", "names a file that must hold one https:// URL (http:// only to a loopback host)")
            return nil
        }
        return (.webhook(url), name)
    }

    private func address(_ key: String, in section: Section, isRequired: Bool) -> MailAddress? {
        guard let text = isRequired ? section.requiredText(key) : section.text(key) else { return nil }
        guard let address = MailAddress(text) else {
            section.find(key, "must be a plain address such as reports@example.com")
            return nil
        }
        return address
    }
}
