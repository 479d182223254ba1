// SPDX-License-Identifier: Apache-2.0

import Model
import Rendering

/// The rows of a report that a figure is made of, added up as they come.
struct FigureRows {
    private let name: FigureName
    private let shape: FigureShape
    private let positions: [Int]
    private var filter: FigureFilter
    private var sums: [Int64?]
    private var first: [String?] = []
    /// Columns in which the rows are not all alike.
    private var differing: Set<Int> = []
    private(set) var count = 0

    /// The name's columns are those of the shape (`FigureShape.check`).
    init(_ name: FigureName, of shape: FigureShape) {
        self.name = name
        self.shape = shape
        filter = FigureFilter(name, columns: shape.columns.map(\.name))
        positions = name.columns.compactMap(shape.position)
        sums = positions.map { _ in nil }
    }

    /// A row in the order of the report's columns; nil is unknown.
    ///
    /// True if the figure is made of it.
    mutating func take(_ fields: [String?]) throws(CitationError) -> Bool {
        guard filter.matches(fields) else { return false }
        count += 1
        if count == 1 { first = fields }
        for index in fields.indices where fields[index] != first[index] { differing.insert(index) }
        for (place, position) in positions.enumerated() { try add(fields[position], to: place) }
        return true
    }

    /// What is unknown adds nothing, unless the column is strict.
    private mutating func add(_ text: String?, to place: Int) throws(CitationError) {
        let isStrict = shape.isStrict(name.columns[place])
        guard let text else {
            if isStrict { sums[place] = nil }
            return
        }
        guard count == 1 || !isStrict || sums[place] != nil else { return }
        guard let more: Int64 = DecimalText.micros(text) else {
            throw CitationError(.name, "\(name.columns[place]) is no figure: \(text)")
        }
        let (sum, overflow) = (sums[place] ?? 0).addingReportingOverflow(more)
        guard !overflow else { throw CitationError(.name, "\(name) comes to more than nine trillion: name fewer rows") }
        sums[place] = sum
    }

    /// The figure.
    ///
    /// Where there is no row, it is 0 if it can be added up, for reports leave out rows that hold nothing; else it is
    /// unknown. Throws `CitationError` where the rows do not make one figure.
    func amount() throws(CitationError) -> FigureAmount {
        try refuseToMix()
        let isCount = positions.allSatisfy { shape.columns[$0].kind == .count }
        let currency = first.isEmpty ? nil : name.columns.first.flatMap { shape.currency(of: $0, in: first) }
        return FigureAmount(micros: try sum(), isCount: isCount, currency: currency)
    }

    private func sum() throws(CitationError) -> Int64? {
        guard count > 0 else { return name.columns.allSatisfy { shape.addition(of: $0) != .never } ? 0 : nil }
        guard !sums.contains(nil) else { return nil }
        return sums.compactMap(\.self).reduce(0, +)
    }

    private func refuseToMix() throws(CitationError) {
        let kinds = Set(name.columns.map { shape.currencyColumn(of: $0) })
        guard kinds.count == 1 else { throw CitationError(.name, "\(name) adds up amounts and other figures") }
        guard count > 1 else { return }
        let keys = shape.keys(among: differing)
        for column in name.columns {
            switch shape.addition(of: column) {
            case .never: throw refusal(of: column, keys)
            case .atOneTime:
                if let time = shape.spec?.time, keys.contains(time) { throw refusal(of: column, [time]) }
                try refuseMixedCurrencies(of: column)
            case .always: try refuseMixedCurrencies(of: column)
            }
        }
    }

    private func refuseMixedCurrencies(of column: String) throws(CitationError) {
        guard let currencyColumn = shape.currencyColumn(of: column), let position = shape.position(of: currencyColumn),
            differing.contains(position)
        else { return }
        throw refusal(of: column, [currencyColumn])
    }

    private func refusal(of column: String, _ keys: [String]) -> CitationError {
        CitationError(
            .name,
            "\(name) is made of \(count) rows, and \(column) of several cannot be added up: name one "
                + keys.joined(separator: ", ").replacing("reporting_currency", with: "reporting currency"))
    }

    /// Why there is no such row, with what was probably meant.
    ///
    /// A day or a month that has no row is none that was mistyped.
    func absence(in place: String) -> CitationError {
        guard let condition = filter.unmet else {
            return CitationError(
                .name, "no row of \(place) has all of \(name): rows in which everything is 0 are left out of a report")
        }
        let known = filter.seen[condition.column, default: []].sorted()
        let isTime = known.contains { $0.wholeMatch(of: /\d{4}-\d{2}(?:-\d{2})?/) != nil }
        let hint: String
        if isTime, let low = known.first(where: { !$0.isEmpty }), let high = known.last {
            let isDay = condition.first.count != low.count || low.count != 10 || BusinessDate(condition.first) != nil
            hint = (isDay ? "" : ", which is no day of the calendar") + "; it has \(low) to \(high)"
        } else if let near = Suggestion.nearest(to: condition.first, among: known), condition.last == nil {
            hint = "; did you mean \(near)?"
        } else if let low = known.first, let high = known.last {
            hint = known.count <= 8 ? "; it has \(known.joined(separator: ", "))" : "; it has \(low) to \(high)"
        } else {
            hint = ": it has no rows"
        }
        return CitationError(.name, "no row of \(place) has \(condition)\(hint)")
    }
}
