// SPDX-License-Identifier: Apache-2.0

import Foundations

/// A digest as Slack's incoming webhooks take it, and what speaks their language: Mattermost, Rocket.Chat, Discord's `/slack`.
///
/// All of it is in `text`, which every one of them displays.
struct SlackMessage: Encodable {
    /// Slack cuts off what is longer.
    private static let longest = 3_500

    let text: String
    /// The link is for people: a chat server need not fetch the report.
    let unfurlLinks = false
    let unfurlMedia = false

    private enum CodingKeys: String, CodingKey {
        case text
        case unfurlLinks = "unfurl_links"
        case unfurlMedia = "unfurl_media"
    }

    init(_ digest: Digest) {
        let head = ["*\(Self.escaped(digest.title))*", Self.escaped(digest.verdict)]
        let figures = digest.figures.map { figure in
            let remarks = figure.remarks.isEmpty ? "" : " (\(figure.remarks.joined(separator: "; ")))"
            return "\(Self.escaped(figure.label)): *\(Self.escaped(figure.text))*\(Self.escaped(remarks))"
        }
        let place =
            switch digest.place {
            case .link(let url, let label): "<\(Self.escaped(url))|\(Self.escaped(label))>"
            case .sentence(let sentence): Self.escaped(sentence)
            }
        let lines =
            head + Self.list(digest.alertsTitle, digest.alerts) + [""] + figures
            + Self.list(digest.warningsTitle, digest.warnings)
        let ending = ["", Self.escaped(digest.moved), place, Self.escaped(digest.asOf)]
        text = Self.fitting(lines, before: ending).joined(separator: "\n")
    }

    private static func list(_ title: String, _ items: [String]) -> [String] {
        items.isEmpty ? [] : ["", "*\(escaped(title))*"] + items.map { "• " + escaped($0) }
    }

    /// UTF-8 JSON.
    func json() throws -> [UInt8] {
        try JSONText.encode(self)
    }

    /// The three characters that Slack reads as its own: without them no text can name a channel or become a link.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// Whole lines only; the ending always remains.
    private static func fitting(_ lines: [String], before ending: [String]) -> [String] {
        var room = longest - ending.map { $0.count + 1 }.reduce(0, +)
        let fitting = lines.prefix { line in
            room -= line.count + 1
            return room >= 0
        }
        return fitting + (fitting.count < lines.count ? ["…"] : []) + ending
    }
}
