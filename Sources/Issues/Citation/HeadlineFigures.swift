// SPDX-License-Identifier: Apache-2.0

import Model
import Rendering
import SQLCatalog

/// The headline figures of the page as cells of the files: `mrr` is the closing of the bridge on the last day, `nrr` that of the
/// whole company in the last month that is over.
struct HeadlineFigures {
    private static let windowLength = 30
    /// Figures of the whole company, cited of the last month that is over; its MRR is the card's, of the last day.
    static let ofCompany = [
        "mrr_net_of_tax", "mrr_proceeds", "mrr_net_of_tax_missing", "mrr_proceeds_missing", "arr", "growth",
        "gross_mrr_churn", "net_mrr_churn", "grr", "nrr", "nrr_with_reactivation", "quick_ratio", "arpu", "arppu",
    ]

    private let cards: [PageCard]
    private let lastDate: BusinessDate

    /// Throws where `cards.json` cannot be read.
    init(through lastDate: BusinessDate) throws {
        cards = try PageCard.all()
        self.lastDate = lastDate
    }

    /// `net_revenue30` for the page's `netRevenue30`.
    var names: [String] { cards.filter { $0.figure == nil }.map { Self.name(of: $0) } }

    /// True for a text that is no name of a cell.
    static func isHeadline(_ text: String) -> Bool { !text.contains { ".[".contains($0) } }

    /// `hasReporting`: whether a report has that column in the reporting currency, too, which the page speaks.
    ///
    /// Throws `CitationError` where there is no such headline figure, or none that a file holds.
    func figure(_ text: String, hasReporting: (_ report: String, _ column: String) -> Bool) throws(CitationError)
        -> FigureName
    {
        let word = Self.plain(text)
        if let figure = Self.ofCompany.first(where: { Self.plain($0) == word }) { return ofLastMonth(figure) }
        guard let card = card(text) else {
            let files = ReportCatalog.reports.map(\.name)
            let near = Suggestion.nearest(to: text, among: names + Self.ofCompany + files)
            throw CitationError(
                .name,
                "`\(text)` is no headline figure; \(near.map { "did you mean \($0)?" } ?? "they are \(listed)")"
                    + " A cell of a file is named like revenue[date=\(lastDate)].net")
        }
        guard let columns = card.last ?? card.sum else { throw Self.refusal(of: card) }
        let days = days(of: card)
        return FigureName(
            report: card.report, conditions: [days],
            columns: columns.map { hasReporting(card.report, $0 + "_reporting") ? $0 + "_reporting" : $0 })
    }

    private func ofLastMonth(_ figure: String) -> FigureName {
        let isMonthOver = lastDate.adding(days: 1)?.description.hasSuffix("-01") == true
        let dayOfMonth = Int(lastDate.description.suffix(2)) ?? 1
        let day = isMonthOver ? lastDate : lastDate.adding(days: -dayOfMonth) ?? lastDate
        return FigureName(
            report: "company",
            conditions: [
                FigureName.Condition(column: "month", first: String(day.description.prefix(7)), last: nil),
                FigureName.Condition(column: "figure", first: figure, last: nil),
            ], columns: ["value"])
    }

    private func days(of card: PageCard) -> FigureName.Condition {
        let (first, last) = card.ahead.map { (1, $0) } ?? (card.sum == nil ? 0 : 1 - Self.windowLength, 0)
        let days = [first, last].map { lastDate.adding(days: $0)?.description ?? "\(lastDate)" }
        return FigureName.Condition(column: "date", first: days[0], last: first == last ? nil : days[1])
    }

    private var listed: String { (names + Self.ofCompany).joined(separator: ", ") + "." }

    /// By its name, or by the beginning of one.
    private func card(_ text: String) -> PageCard? {
        let word = Self.plain(text)
        if let exact = cards.first(where: { Self.plain($0.id) == word }) { return exact }
        let started = cards.filter { Self.plain($0.id).hasPrefix(word) }
        return started.count == 1 && word.count > 2 ? started[0] : nil
    }

    private static func refusal(of card: PageCard) -> CitationError {
        let isOfFile = ReportCatalog.reports.contains { $0.name == card.report }
        let parts = (card.ratio ?? []).map { $0.joined(separator: "+") }.joined(separator: " and ")
        let advice =
            isOfFile
            ? "cite what it divides: \(card.report)[…].\(parts)"
            : "what it divides is worked out for the page and stands in no file; cite rows of churn"
        return CitationError(.name, "\(name(of: card)) is a ratio over thirty days: \(advice)")
    }

    private static func name(of card: PageCard) -> String {
        card.id.reduce(into: "") { name, letter in
            name += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
        }
    }

    private static func plain(_ name: String) -> String { name.lowercased().replacing("_", with: "") }
}
