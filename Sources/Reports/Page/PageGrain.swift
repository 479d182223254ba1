// SPDX-License-Identifier: Apache-2.0

/// Figures of a report by span of time and by the columns that tell its rows apart: as many of them as fit the page.
///
/// Where there are too many rows, a column is given up and the rows that differ in nothing else become one: the country first,
/// then the currency (amounts in the reporting currency are left), the product, the store, the app.
struct PageGrain {
    /// Numbers of one list of figures that the page has room for: thirty such lists stay below its three megabytes.
    static let room = 30_000
    private static let dispensable = ["country", "currency", "product_type", "kind", "product_id", "store", "app_id"]

    struct Key: Hashable {
        let span: Int
        let values: [Int32]
    }

    /// Nil: unknown. First the figures as they are, then those in the reporting currency.
    typealias Figures = [Int64?]

    private(set) var columns: [String]
    private(set) var rows: [Key: Figures] = [:]
    /// Of all rows, as the page holds them.
    private var numberCount = 0
    /// Of each figure: whether one unknown part makes the whole unknown.
    private let strict: [Bool]
    private let room: Int

    init(columns: [String], strict: [Bool], room: Int = PageGrain.room) {
        self.columns = columns
        self.strict = strict
        self.room = room
    }

    /// Whether amounts stand in their own currencies.
    var hasCurrency: Bool { columns.contains("currency") }

    mutating func add(_ figures: Figures, span: Int, values: [Int32]) throws(ReportError) {
        try merge(figures, at: Key(span: span, values: values))
        while numberCount > room, let column = Self.dispensable.first(where: columns.contains) { try giveUp(column) }
    }

    /// The span, the values and each figure that is not 0 with its place.
    static func numberCount(_ key: Key, _ figures: Figures) -> Int {
        1 + key.values.count + figures.reduce(0) { $0 + ($1 == 0 ? 0 : 2) }
    }

    private mutating func merge(_ figures: Figures, at key: Key) throws(ReportError) {
        let merged = try rows[key].map { held throws(ReportError) in try Self.sum(held, figures, strict) } ?? figures
        numberCount += Self.numberCount(key, merged) - (rows[key].map { Self.numberCount(key, $0) } ?? 0)
        rows[key] = merged
    }

    /// What is unknown adds nothing, unless the figure is strict; a sum of nothing but unknowns is unknown.
    static func sum(_ left: Figures, _ right: Figures, _ strict: [Bool]) throws(ReportError) -> Figures {
        var sums = left
        for index in right.indices {
            guard let more = right[index] else {
                if strict[index] { sums[index] = nil }
                continue
            }
            guard sums[index] != nil || !strict[index] else { continue }
            let (sum, overflow) = (sums[index] ?? 0).addingReportingOverflow(more)
            guard !overflow else { throw ReportError(.definitions, "a sum of the page is beyond nine trillion") }
            sums[index] = sum
        }
        return sums
    }

    private mutating func giveUp(_ column: String) throws(ReportError) {
        guard let place = columns.firstIndex(of: column) else { return }
        let before = rows
        columns.remove(at: place)
        rows = [:]
        numberCount = 0
        for (key, figures) in before {
            var values = key.values
            values.remove(at: place)
            try merge(figures, at: Key(span: key.span, values: values))
        }
    }
}
