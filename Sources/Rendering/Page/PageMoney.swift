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
