// SPDX-License-Identifier: Apache-2.0

/// A part of a whole: a share, or an amount for each; or how much something grew.
struct PageRatio {
    let numerator: PageColumn
    let denominator: PageColumn
    let isGrowth: Bool

    /// Nil where the specification has no such ratio, or names what the report does not have.
    init?(_ name: String, of cube: PageCube) {
        let growth = cube.spec.growth?[name]
        guard let names = growth ?? cube.spec.ratios?[name], names.count == 2,
            let numerator = cube.columns.first(where: { $0.name == names[0] }),
            let denominator = cube.columns.first(where: { $0.name == names[1] })
        else { return nil }
        self.numerator = numerator
        self.denominator = denominator
        isGrowth = growth != nil
    }

    /// An amount for each of several.
    var isAmount: Bool { numerator.kind == .money && denominator.kind == .count }

    func text(_ part: Int64?, of whole: Int64?, in money: PageMoney) -> String {
        guard let part, let whole, whole > 0 else { return "–" }
        guard !isGrowth else { return AmountText.growth(part, from: whole) ?? "–" }
        guard isAmount else { return AmountText.share(part, of: whole) ?? "–" }
        return AmountText.amount(AmountText.quotient(part, by: whole), in: money.currency)
    }
}
