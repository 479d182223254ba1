// SPDX-License-Identifier: Apache-2.0

/// In which money the page speaks: in the reporting currency, or where no rate is known in the currency that most was sold in.
struct PageMoney {
    let currency: String
    let isReporting: Bool

    /// What people read for a figure; a dash for what is unknown.
    func text(_ figure: Int64?, _ kind: PageColumn.Kind) -> String {
        guard let figure else { return "–" }
        return kind == .count ? AmountText.count(figure) : AmountText.amount(figure, in: currency)
    }
}

/// A part of a whole: a share, or an amount for each.
struct PageRatio {
    let numerator: PageColumn
    let denominator: PageColumn

    /// Nil where the specification names what the report does not have.
    init?(_ names: [String], of columns: [PageColumn]) {
        guard names.count == 2, let numerator = columns.first(where: { $0.name == names[0] }),
            let denominator = columns.first(where: { $0.name == names[1] })
        else { return nil }
        self.numerator = numerator
        self.denominator = denominator
    }

    func text(_ part: Int64?, of whole: Int64?, in money: PageMoney) -> String {
        guard let part, let whole, whole > 0 else { return "–" }
        guard numerator.kind == .money, denominator.kind == .count else {
            return AmountText.share(part, of: whole) ?? "–"
        }
        return AmountText.amount(AmountText.quotient(part, by: whole), in: money.currency)
    }
}
