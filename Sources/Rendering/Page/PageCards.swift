// SPDX-License-Identifier: Apache-2.0

/// The headline figures, each with its change against thirty days and a year before.
struct PageCards {
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
        /// What it is made of; nil where there is nothing to say.
        let detail: String?
        let changes: [String]
        /// It follows no filter.
        var isOfWhole = false
    }

    /// Part and whole of a card at the end of a day; the whole is nil of a card that is no ratio.
    private struct Figure {
        let part: Int64?
        let whole: Int64?
        let kind: PageColumn.Kind
        let details: [String]
        /// It is not decided of all of them yet.
        var isOpen = false
    }

    let cubes: [PageCube]
    let money: PageMoney
    let texts: PageTexts
    let period: PagePeriod
    let company: PagePivot?

    func all() throws -> [Text] { try PageCard.all().map(text) }

    private func text(_ card: PageCard) throws(ReportError) -> Text {
        if let figure = card.figure { return ofCompany(card, figure) }
        let now = try figure(card, period.lastDay)
        var changes: [String] = []
        for (name, days) in [("against30", PagePeriod.cardDays), ("againstYear", PagePeriod.yearDays)] {
            let before = period.lastDay - days
            guard !now.isOpen, let change = change(now, try figure(card, before)) else { continue }
            changes.append(texts[name, "change", change] + (period.isBefore(day: before) ? " †" : ""))
        }
        return Text(
            id: card.id, label: label(card), definition: card.definition,
            section: String(card.definition.prefix { $0 != "." }), figure: figureText(now, of: card),
            unit: card.ratio == nil && now.kind == .money ? money.currency : nil,
            detail: now.details.isEmpty ? basis(card) : detail(card, names: card.detail ?? [], words: now.details),
            changes: changes)
    }

    private func ofCompany(_ card: PageCard, _ figure: String) -> Text {
        let month = company?.lastWholeMonth(on: period.lastDay)
        return Text(
            id: card.id, label: texts[card.id, "month", month ?? texts["lastMonth"]], definition: card.definition,
            section: card.report,
            figure: month.flatMap { company?.text(figure, of: $0, in: money.currency) } ?? "–",
            unit: company?.isMoney(figure) == true ? money.currency : nil, detail: nil, changes: [], isOfWhole: true)
    }

    /// The same on other bases, as the whole company has them at the end.
    private func basis(_ card: PageCard) -> String? {
        guard let figures = card.basis, let company, let month = company.labels.last else { return nil }
        let words = figures.map { company.text($0, of: month, in: money.currency) }
        return detail(card, names: figures, words: words) + missing(card, of: company, in: month)
    }

    /// How much of it those bases leave out: a total names what it lacks.
    private func missing(_ card: PageCard, of company: PagePivot, in month: String) -> String {
        let shares = (card.missing ?? []).map { ($0, company.micros($0, of: month) ?? 0) }
        guard shares.contains(where: { $0.1 > 0 }) else { return "" }
        return FilledText.filled(
            texts["\(card.id)Missing"], shares.flatMap { [$0.0, company.text($0.0, of: month, in: money.currency)] })
    }

    private func label(_ card: PageCard) -> String {
        let days = card.isOfWindows ? PagePeriod.cardDays : period.window(PagePeriod.cardDays)
        return texts[card.id, "days", texts.days(days)]
    }

    private func detail(_ card: PageCard, names: [String], words: [String]) -> String {
        FilledText.filled(
            texts["\(card.id)Detail"], zip(names, words).flatMap { [$0, $1] } + ["currency", money.currency])
    }

    /// Without a part where the report's rows do not reach back that far.
    private func figure(_ card: PageCard, _ day: Int) throws(ReportError) -> Figure {
        let none = Figure(part: nil, whole: nil, kind: .count, details: [])
        guard let cube = cubes.first(where: { $0.name == card.report }), card.ahead == nil || day == period.lastDay
        else {
            return none
        }
        let days = card.days(of: day, period)
        guard day >= cube.firstSpan ?? .max || card.ahead != nil, card.isOfWindows || period.contains(days.lowerBound)
        else { return none }
        let sums = try PageView(cube: cube, money: money).sums(.column(""), of: cube.days, in: days).values.first
        func sum(_ names: [String]) throws(ReportError) -> Int64? {
            let figures = names.compactMap { name in cube.columns.firstIndex { $0.name == name } }
                .compactMap { sums?[$0] }
            return figures.isEmpty ? nil : try PageLine.sum(of: figures)
        }
        let names = card.last ?? card.sum ?? card.ratio?.first ?? []
        let details = try (card.detail ?? []).map { name throws(ReportError) in
            money.text(try sum([name]), Self.kind(of: name, in: cube))
        }
        return Figure(
            part: try sum(names),
            whole: try card.ratio.map { names throws(ReportError) in try sum(names.last ?? []) ?? 0 },
            kind: names.first.map { Self.kind(of: $0, in: cube) } ?? .count, details: sums == nil ? [] : details,
            isOpen: try card.open.map { name throws(ReportError) in try sum([name]) ?? 0 > 0 } ?? false)
    }

    private static func kind(of column: String, in cube: PageCube) -> PageColumn.Kind {
        cube.columns.first { $0.name == column }?.kind ?? .count
    }

    private func figureText(_ figure: Figure, of card: PageCard) -> String {
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
