// SPDX-License-Identifier: Apache-2.0

/// What the head of `report.html` says of the day in the reporting currency.
struct PageConversion {
    /// The last day, then the day before.
    let days: [PageFigures.Converted]

    /// Nil where nothing that moved has a rate.
    var headline: PageContent.Headline? {
        guard let now = days.first, let gross = now.gross, let refunded = now.refunded, let net = now.net else {
            return nil
        }
        let then = days.dropFirst().first
        func change(_ value: Int64, _ before: Int64?) -> String {
            AmountText.change(value - (before ?? 0), in: now.currency)
        }
        return PageContent.Headline(
            currency: now.currency, gross: AmountText.amount(gross, in: now.currency),
            grossChange: change(gross, then?.gross), refunded: AmountText.amount(refunded, in: now.currency),
            refundedChange: change(refunded, then?.refunded), net: AmountText.amount(net, in: now.currency),
            netChange: change(net, then?.net))
    }

    /// What of it is the store's word, and what is not.
    var notes: [String] {
        guard let now = days.first, now.gross != nil else { return [] }
        return [
            "Each sale is converted at the last rate published before its day.",
            now.proceeds.map { "Proceeds: \(AmountText.amount($0, in: now.currency)) \(now.currency)." },
            share(now.estimated, "has proceeds that are estimated"),
            share(now.missing, "has proceeds that nobody knows"),
            share(now.listed, "is at the prices of your list: the store gave none"),
        ].compactMap(\.self)
    }

    private func share(_ millionths: Int64?, _ what: String) -> String? {
        guard let millionths, millionths > 0 else { return nil }
        return AmountText.share(millionths, of: 1_000_000).map { "\($0) of what moved \(what)." }
    }

    /// What no rate was found for; nil where everything has one.
    var leftOut: String? {
        guard let now = days.first, now.unconverted > 0 else { return nil }
        let count = AmountText.count(now.unconverted)
        let movements = now.unconverted == 1 ? "1 movement is" : "\(count) movements are"
        return "Unconverted: \(movements) in a currency without a rate, and left out of \(now.currency). "
            + "Rates come with subledger import fx."
    }
}
