// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLCatalog

/// The headline figures, each with its change against thirty days and a year before.
struct PageCards {
    /// `cards.json`: which columns of which report a card adds up.
    struct Card: Decodable {
        let id: String
        let report: String
        /// Where the glossary says what it means: report and column.
        let definition: String
        /// As the last day has them.
        let last: [String]?
        /// Over thirty days.
        let sum: [String]?
        /// Over thirty days: the sum of some ÷ the sum of others.
        let ratio: [[String]]?
    }

    /// What a card says.
    struct Text {
        let id: String
        let label: String
        let definition: String
        /// The section with its rows.
        let section: String
        let figure: String
        /// The currency of an amount; nil of other figures.
        let unit: String?
        let changes: [String]
    }

    private static let windowLength = 30
    private static let yearLength = 365

    let cubes: [PageCube]
    let money: PageMoney
    let texts: PageTexts
    let lastDay: Int
    /// The first day that the stores were asked on; what is older is what they still tell.
    let firstObserved: Int

    func all() throws -> [Text] {
        try JSONDecoder().decode([Card].self, from: Data(PageFiles.cards.text.utf8)).map(text)
    }

    /// Part and whole of a card at the end of a day; the whole is nil of a card that is no ratio.
    private struct Figure {
        let part: Int64?
        let whole: Int64?
        let kind: PageColumn.Kind
    }

    private func text(_ card: Card) throws(ReportError) -> Text {
        let now = try figure(card, lastDay)
        let changes = [("against30", Self.windowLength), ("againstYear", Self.yearLength)].compactMap { name, days in
            (try? figure(card, lastDay - days)).flatMap { then in
                change(now, then).map {
                    texts[name, "change", $0] + (lastDay - days < firstObserved ? " †" : "")
                }
            }
        }
        return Text(
            id: card.id, label: texts[card.id], definition: card.definition,
            section: String(card.definition.prefix { $0 != "." }), figure: figureText(now, of: card),
            unit: card.ratio == nil && now.kind == .money ? money.currency : nil, changes: changes)
    }

    private func figure(_ card: Card, _ day: Int) throws(ReportError) -> Figure {
        guard let cube = cubes.first(where: { $0.name == card.report }), day >= cube.firstSpan ?? .max else {
            return Figure(part: nil, whole: nil, kind: .count)
        }
        let names = card.last ?? card.sum ?? card.ratio?.first ?? []
        let first = card.last != nil || card.report == "churn_windows" ? day : day - Self.windowLength + 1
        let view = PageView(cube: cube, money: money)
        let sums = try view.sums(.column(""), of: cube.days, in: first...day)
        func sum(_ names: [String]) -> Int64? {
            let figures = names.compactMap { name in cube.columns.firstIndex { $0.name == name } }
                .flatMap { index in sums.values.compactMap { $0[index] } }
            return figures.isEmpty ? nil : figures.reduce(0, +)
        }
        let kind = cube.columns.first { $0.name == names.first }?.kind ?? .count
        return Figure(part: sum(names), whole: card.ratio.map { sum($0.last ?? []) ?? 0 }, kind: kind)
    }

    private func figureText(_ figure: Figure, of card: Card) -> String {
        guard card.ratio != nil else { return money.text(figure.part, figure.kind) }
        guard let part = figure.part, let whole = figure.whole else { return "–" }
        return AmountText.share(part, of: whole) ?? "–"
    }

    /// Of shares in points, else as a share of what it was; nil where one of the two is unknown.
    private func change(_ now: Figure, _ then: Figure) -> String? {
        guard let new = now.part, let old = then.part else { return nil }
        guard let newWhole = now.whole else {
            return AmountText.share(new - old, of: old).map { new >= old ? "+" + $0 : $0 }
        }
        guard let oldWhole = then.whole, newWhole > 0, oldWhole > 0 else { return nil }
        return AmountText.points(new, of: newWhole, against: old, of: oldWhole).map {
            texts["points", "points", $0]
        }
    }
}
