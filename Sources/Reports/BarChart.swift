// SPDX-License-Identifier: Apache-2.0

/// Gross billings and refunds by day as bars of an inline SVG: gross upwards from the line, refunds downwards.
struct BarChart {
    /// One day's bars, in the drawing's units.
    struct Bar {
        let x: Int
        let grossTop: Int
        let grossHeight: Int
        let refundedHeight: Int
        let label: String
    }

    private static let step = 20
    private static let rise: Int64 = 100
    private static let fall: Int64 = 30

    let currency: String
    let width: Int
    let height: Int
    let line: Int
    let firstDay: String
    let lastDay: String
    let highest: String
    let bars: [Bar]

    init(currency: String, days: [(day: String, sum: Sum)]) {
        let highest = days.map(\.sum.gross).max() ?? 0
        let deepest = days.map(\.sum.refunded).max() ?? 0
        let unit = max(highest / Self.rise, deepest / Self.fall) + 1
        self.currency = currency
        self.width = days.count * Self.step
        self.height = Int(Self.rise + Self.fall)
        self.line = Int(Self.rise)
        self.firstDay = days.first?.day ?? ""
        self.lastDay = days.last?.day ?? ""
        self.highest = AmountText.amount(highest, in: currency)
        self.bars = days.enumerated().map { index, entry in
            let gross = Self.length(entry.sum.gross, unit)
            let texts = [entry.sum.gross, entry.sum.refunded].map { AmountText.amount($0, in: currency) }
            return Bar(
                x: index * Self.step + 3, grossTop: Int(Self.rise) - gross, grossHeight: gross,
                refundedHeight: Self.length(entry.sum.refunded, unit),
                label: "\(entry.day): gross \(texts[0]), refunded \(texts[1]) \(currency)")
        }
    }

    /// Something that is there is seen, however small.
    private static func length(_ micros: Int64, _ unit: Int64) -> Int {
        micros > 0 ? max(1, Int(micros / unit)) : 0
    }
}
