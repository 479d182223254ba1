// SPDX-License-Identifier: Apache-2.0

import Model
import Rendering

/// What a message says of an issue, ready to be read; how it is set is the channel's own matter.
struct Digest: Sendable, Hashable {
    /// A headline figure, and what it is made of and how it moved.
    struct Figure: Sendable, Hashable {
        let label: String
        let text: String
        let remarks: [String]
    }

    /// Where the report is to be found.
    enum Place: Sendable, Hashable {
        case link(String, label: String)
        case sentence(String)
    }

    let language: String
    let subject: String
    let title: String
    let verdict: String
    let alertsTitle: String
    let alerts: [String]
    let figures: [Figure]
    let warningsTitle: String
    let warnings: [String]
    let moved: String
    let place: Place
    let asOf: String

    /// `folder`: the issue's own.
    ///
    /// `link`: where the folder above it is served; nil: nowhere. `now`: what ages are counted to.
    init(of summary: IssueSummary, alerts: [Alert], folder: String, link: String?, now: Instant) throws {
        let texts = try MessageTexts(language: summary.language)
        let sentences = AlertText(texts: texts, summary: summary, now: now)
        language = summary.language
        subject = Self.subject(texts, summary, alertCount: alerts.count)
        title = texts["title", "date", summary.lastDate]
        verdict = summary.verdict
        alertsTitle = texts["alerts"]
        self.alerts = alerts.map(sentences.sentence)
        figures = summary.figures.map { figure in
            Figure(
                label: figure.label, text: figure.text,
                remarks: [figure.detail].compactMap(\.self) + figure.changes)
        }
        warningsTitle = texts["warnings"]
        warnings = summary.warnings
        moved = Self.moved(texts, summary.movedFigures)
        place = Self.place(of: folder, link: link, texts)
        asOf = texts["asOf", "instant", summary.asOf, "seal", String(summary.seal)]
    }

    private static func subject(_ texts: MessageTexts, _ summary: IssueSummary, alertCount: Int) -> String {
        switch alertCount {
        case 0: texts["subject", "date", summary.lastDate, "verdict", summary.verdict]
        case 1: texts["subjectAlertOne", "date", summary.lastDate]
        default: texts["subjectAlertMany", "date", summary.lastDate, "count", String(alertCount)]
        }
    }

    private static func moved(_ texts: MessageTexts, _ figures: Int) -> String {
        switch figures {
        case 0: texts["movedNone"]
        case 1: texts["movedOne"]
        default: texts["movedMany", "count", AmountText.count(Int64(figures))]
        }
    }

    private static func place(of folder: String, link: String?, _ texts: MessageTexts) -> Place {
        guard let link else { return .sentence(texts["stands", "path", "\(folder)/report.html"]) }
        let issue = folder.split(separator: "/").last.map(String.init) ?? "latest"
        return .link("\(link)/\(issue)/report.html", label: texts["open"])
    }
}
