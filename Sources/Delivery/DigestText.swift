// SPDX-License-Identifier: Apache-2.0

import Rendering

/// A digest as a mail has it: plain text, and the same as HTML.
///
/// Whatever an app or a product is called, it is text there.
struct DigestText {
    let digest: Digest

    /// Lines end in a line feed.
    var plain: String {
        var blocks = ["\(digest.title)\n\(digest.verdict)"]
        if !digest.alerts.isEmpty { blocks.append(list(digest.alertsTitle, digest.alerts)) }
        blocks.append(digest.figures.map(line).joined(separator: "\n"))
        if !digest.warnings.isEmpty { blocks.append(list(digest.warningsTitle, digest.warnings)) }
        switch digest.place {
        case .link(let url, let label): blocks.append("\(digest.moved)\n\(label): \(url)")
        case .sentence(let sentence): blocks.append("\(digest.moved)\n\(sentence)")
        }
        return (blocks + [digest.asOf]).filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    /// No script, no picture, no address that is fetched: what a mail program shows as it is.
    var html: String {
        var body = "<h1 style=\"font-size:18px\">\(escaped(digest.title))</h1><p>\(escaped(digest.verdict))</p>\n"
        body += htmlList(digest.alertsTitle, digest.alerts, color: "#b00020")
        body += "<table cellpadding=\"6\" style=\"border-collapse:collapse\">\n"
        for figure in digest.figures {
            body += "<tr><td>\(escaped(figure.label))</td><td align=\"right\"><b>\(escaped(figure.text))</b></td>"
            body += "<td style=\"color:#555\">\(figure.remarks.map(escaped).joined(separator: "<br>"))</td></tr>\n"
        }
        body += "</table>\n" + htmlList(digest.warningsTitle, digest.warnings, color: "#7a5200")
        body += "<p>\(escaped(digest.moved))</p>\n"
        switch digest.place {
        case .link(let url, let label): body += "<p><a href=\"\(escaped(url))\">\(escaped(label))</a></p>\n"
        case .sentence(let sentence): body += "<p>\(escaped(sentence))</p>\n"
        }
        body += "<p style=\"color:#555\">\(escaped(digest.asOf))</p>"
        return "<!doctype html>\n<html lang=\"\(escaped(digest.language))\"><head><meta charset=\"utf-8\"><title>"
            + "\(escaped(digest.subject))</title></head>\n<body style=\"font-family:sans-serif\">\n\(body)\n</body></html>\n"
    }

    private func line(_ figure: Digest.Figure) -> String {
        let remarks = figure.remarks.isEmpty ? "" : " (\(figure.remarks.joined(separator: "; ")))"
        return "\(figure.label): \(figure.text)\(remarks)"
    }

    private func list(_ title: String, _ items: [String]) -> String {
        ([title] + items.map { "- \($0)" }).joined(separator: "\n")
    }

    private func htmlList(_ title: String, _ items: [String], color: String) -> String {
        guard !items.isEmpty else { return "" }
        return "<p style=\"color:\(color)\"><b>\(escaped(title))</b></p>\n<ul>"
            + items.map { "<li>\(escaped($0))</li>" }.joined() + "</ul>\n"
    }

    private func escaped(_ text: String) -> String { HTMLText.escaped(text) }
}
