// SPDX-License-Identifier: Apache-2.0

import Model

/// The money of `report.html`: sums per currency, never across currencies.
struct PageMoney {
    private static let chartCount = 3

    let figures: PageFigures
    /// Oldest first; the last one is the day the page is about.
    let days: [BusinessDate]

    /// Those with any movement in these days, the busiest first.
    var currencies: [String] {
        let charges = figures.days.reduce(into: [String: Int64]()) { $0[$1.currency, default: 0] += $1.charges }
        return charges.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    var headlines: [PageContent.Headline] {
        let today = total(on: days.last)
        let before = total(on: days.dropLast().last)
        return currencies.map { currency in
            let now = today[currency] ?? Sum()
            let then = before[currency] ?? Sum()
            return PageContent.Headline(
                currency: currency, gross: AmountText.amount(now.gross, in: currency),
                grossChange: AmountText.change(now.gross - then.gross, in: currency),
                refunded: AmountText.amount(now.refunded, in: currency),
                refundedChange: AmountText.change(now.refunded - then.refunded, in: currency),
                net: AmountText.amount(now.net, in: currency),
                netChange: AmountText.change(now.net - then.net, in: currency))
        }
    }

    /// One for each of the busiest currencies.
    var charts: [BarChart] {
        currencies.prefix(Self.chartCount).map { currency in
            let rows = figures.days.filter { $0.currency == currency }
            let sums = Dictionary(grouping: rows, by: \.span).mapValues(Sum.init)
            return BarChart(currency: currency, days: days.map { ($0.description, sums[$0.description] ?? Sum()) })
        }
    }

    /// By store and product, over all the days.
    var products: [PageContent.MoneyRow] {
        rows(figures.days) {
            [$0.appID, $0.store, $0.productID]
        } name: { key in
            Row(span: "", app: key[0], store: key[1], product: key[2])
        }
    }

    /// By day alone, newest first.
    var dayTotals: [PageContent.MoneyRow] { totals(figures.days) }
    /// By month alone, newest first.
    var monthTotals: [PageContent.MoneyRow] { totals(figures.months) }

    var dayProducts: [PageContent.MoneyRow] { figures.days.map { Row($0).text($0.currency, Sum([$0])) } }
    var months: [PageContent.MoneyRow] { figures.months.map { Row($0).text($0.currency, Sum([$0])) } }

    private func total(on day: BusinessDate?) -> [String: Sum] {
        let rows = figures.days.filter { $0.span == day?.description }
        return Dictionary(grouping: rows, by: \.currency).mapValues(Sum.init)
    }

    private func totals(_ money: [PageFigures.Money]) -> [PageContent.MoneyRow] {
        rows(money, newestFirst: true, by: { [$0.span] }) { key in
            Row(span: key[0], app: "", store: "", product: "")
        }
    }

    private func rows(
        _ money: [PageFigures.Money], newestFirst: Bool = false, by key: (PageFigures.Money) -> [String],
        name: ([String]) -> Row
    ) -> [PageContent.MoneyRow] {
        let groups = Dictionary(grouping: money) { key($0) + [$0.currency] }
        let order = groups.keys.sorted { left, right in
            if newestFirst, left[0] != right[0] { return left[0] > right[0] }
            return left.lexicographicallyPrecedes(right)
        }
        return order.map { key in name(key).text(key.last ?? "", Sum(groups[key] ?? [])) }
    }
}

/// What several rows of one currency come to, in micros.
struct Sum {
    var charges: Int64 = 0
    var refunds: Int64 = 0
    var gross: Int64 = 0
    var refunded: Int64 = 0

    var net: Int64 { gross - refunded }

    init() {}

    init(_ rows: [PageFigures.Money]) {
        for row in rows {
            charges += row.charges
            refunds += row.refunds
            gross += row.gross
            refunded += row.refunded
        }
    }
}

/// What a row of money is about.
private struct Row {
    let span: String
    let app: String
    let store: String
    let product: String

    func text(_ currency: String, _ sum: Sum) -> PageContent.MoneyRow {
        PageContent.MoneyRow(
            span: span, app: app, store: StoreName.text(store), product: product, currency: currency,
            charges: AmountText.count(sum.charges), refunds: AmountText.count(sum.refunds),
            gross: AmountText.amount(sum.gross, in: currency), refunded: AmountText.amount(sum.refunded, in: currency),
            net: AmountText.amount(sum.net, in: currency))
    }
}

extension Row {
    fileprivate init(_ money: PageFigures.Money) {
        self.init(span: money.span, app: money.appID, store: money.store, product: money.productID)
    }
}
