// SPDX-License-Identifier: Apache-2.0

import Rendering

/// What each transaction puts into a figure, as one seal knew it.
struct OriginAmounts: Sendable {
    /// What one puts in, and the same in the currency it was charged in: of a figure that is not converted, the same again.
    struct Part: Sendable, Hashable {
        var micros: Int64 = 0
        var originalMicros: Int64 = 0
        let lineageKey: Int64
    }

    private(set) var parts: [RowOrigin.Lasting: Part] = [:]
    private var filter: FigureFilter
    /// Where a row has its product, and while its report is followed the origin in place of it.
    private let product: Int
    private let columns: [Int]
    private let originals: [Int]

    /// Nil of a report that does not tell its rows apart by product.
    init?(_ name: FigureName, of shape: FigureShape) {
        guard let product = shape.position(of: "product_id") else { return nil }
        self.product = product
        filter = FigureFilter(name, columns: shape.columns.map(\.name))
        columns = name.columns.compactMap(shape.position)
        originals = name.columns.compactMap { shape.position(of: FigureShape.base(of: $0)) }
    }

    /// What is in the place of the rows' products.
    func names(in rows: [[String?]]) -> [String] { Set(rows.compactMap { $0[product] }).sorted() }

    /// A row of the report over rows with their origins in place of their products; one that has none is not followed.
    mutating func take(_ fields: [String?], of origins: [String: RowOrigin]) throws(CitationError) {
        guard let origin = fields[product].flatMap({ origins[$0] }) else { return }
        var plain = fields
        plain[product] = origin.productID
        guard filter.matches(plain) else { return }
        var part = parts[origin.lasting] ?? Part(lineageKey: origin.lineageKey)
        part.micros = try Self.sum(part.micros, adding: columns, of: plain)
        part.originalMicros = try Self.sum(part.originalMicros, adding: originals, of: plain)
        parts[origin.lasting] = part
    }

    /// What is unknown adds nothing.
    private static func sum(
        _ start: Int64, adding columns: [Int], of row: [String?]
    ) throws(CitationError) -> Int64 {
        var sum = start
        for text in columns.compactMap({ row[$0] }) {
            let (next, overflow) = sum.addingReportingOverflow(DecimalText.micros(text) ?? 0)
            guard !overflow else { throw CitationError(.name, "a part of the figure is more than nine trillion") }
            sum = next
        }
        return sum
    }

    /// Those that put in something else than another seal knew.
    func moved(since earlier: OriginAmounts) -> [MovedOrigin] {
        Set(parts.keys).union(earlier.parts.keys).compactMap { key in
            let (now, then) = (parts[key], earlier.parts[key])
            guard let lineage = now?.lineageKey ?? then?.lineageKey else { return nil }
            let difference = (now?.micros ?? 0) - (then?.micros ?? 0)
            let original = (now?.originalMicros ?? 0) - (then?.originalMicros ?? 0)
            guard difference != 0 else { return nil }
            return MovedOrigin(
                origin: key, lineageKey: lineage, micros: difference, isConversionAlone: original == 0)
        }.sorted { ($0.micros.magnitude, $1.origin.id) > ($1.micros.magnitude, $0.origin.id) }
    }
}

/// A transaction whose part in a figure is another one than it was.
struct MovedOrigin: Sendable, Hashable {
    let origin: RowOrigin.Lasting
    let lineageKey: Int64
    /// What the part is more now.
    let micros: Int64
    /// The amount is the same; what it is worth in the reporting currency is not.
    let isConversionAlone: Bool
}
