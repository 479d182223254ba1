// SPDX-License-Identifier: Apache-2.0

// What was charged and what was given back, in micros, straight from the entries of every purchase.

extension Books {
    /// Charges and refunds by day (UTC), through that date; refunds are positive.
    ///
    /// A refund that was wholly taken back counts no longer, from the day on which it was known to be. Tax and proceeds
    /// are those of what was charged less what was given back.
    package func revenue(_ column: BookColumn, through date: String) -> [MetricRow] {
        let end = CivilTime.end(ofDate: date)
        var table = MetricTable(
            of: ["date", "app_id", "product_id", "country", "currency"],
            ["charges", "refunds", "gross", "refunded", "tax", "proceeds"])
        for (image, entries) in money(column) {
            let it = image.booked
            for entry in entries where entry.at < end {
                let place = [CivilTime.date(of: entry.at), it.appID, it.productID, it.country, it.currency]
                let (tax, proceeds) = (entry.taxMicros.map { Int128($0) }, entry.proceedsMicros.map { Int128($0) })
                table.add(place, ["tax": tax, "proceeds": proceeds])
                if let back = entry.givenBack {
                    table.add(place, ["refunds": back.count, "refunded": back.micros])
                } else {
                    table.add(place, ["charges": 1, "gross": Int128(entry.micros)])
                }
            }
        }
        return table.rows(evenOfNothing: true)
    }
}

extension MetricBooks {
    /// Refunds by the day (UTC) the money was given back, through that date: `full` where it was the whole price at once,
    /// `reversal` where refunds were taken back, which is below zero.
    package func refunds(through date: String) -> [MetricRow] {
        var table = MetricTable(of: ["date", "app_id", "product_id", "currency", "kind"], ["refunds", "refunded"])
        for (booked, entry) in entries(through: date) {
            guard let price = booked.priceMicros, let back = entry.givenBack else { continue }
            let kind = entry.kind == .refund ? (entry.micros >= price ? "full" : "partial") : "reversal"
            table.add(
                [CivilTime.date(of: entry.at)] + booked.line + [kind], ["refunds": back.count, "refunded": back.micros])
        }
        return table.rows()
    }

    /// Every refund and reversal through that date: what was given back in one calendar month (UTC) of what had been sold
    /// in another.
    package func refundMatrix(through date: String) -> [MetricRow] {
        let end = CivilTime.end(ofDate: date)
        var table = MetricTable(
            of: ["sold_month", "refunded_month", "app_id", "product_id", "currency"], ["refunds", "refunded"])
        for (booked, entries) in entries {
            guard let charge = entries.first(where: { $0.givenBack == nil }) else { continue }
            for entry in entries where entry.at < end {
                guard let back = entry.givenBack else { continue }
                table.add(
                    [CivilTime.month(of: charge.at), CivilTime.month(of: entry.at)] + booked.line,
                    ["refunds": back.count, "refunded": back.micros])
            }
        }
        return table.rows()
    }

    /// What was given back in a calendar month (UTC), of any charge, and what has been given back of the month's own
    /// charges since, with what happened through that date.
    ///
    /// The rates by the day of the refund are refunds of charges and money of money; those by the charge the same two.
    package func refundRates(through date: String) -> [MetricRow] {
        let end = CivilTime.end(ofDate: date)
        var table = MetricTable(
            of: ["month", "app_id", "product_id", "currency"],
            ["charges", "charged", "refunds", "refunded", "charges_given_back", "given_back"],
            rates: [
                "refund_rate": ("refunds", "charges"), "refunded_share": ("refunded", "charged"),
                "charge_refund_rate": ("charges_given_back", "charges"), "given_back_share": ("given_back", "charged"),
            ])
        for (booked, all) in entries {
            let entries = all.filter { $0.at < end }
            for entry in entries {
                guard let back = entry.givenBack else { continue }
                table.add(
                    [CivilTime.month(of: entry.at)] + booked.line, ["refunds": back.count, "refunded": back.micros])
            }
            guard let charge = entries.first(where: { $0.givenBack == nil }) else { continue }
            let back = entries.compactMap { $0.givenBack?.micros }.reduce(0, +)
            table.add(
                [CivilTime.month(of: charge.at)] + booked.line,
                [
                    "charges": 1, "charged": Int128(charge.micros), "charges_given_back": back > 0 ? 1 : 0,
                    "given_back": back,
                ])
        }
        return table.rows()
    }

    /// Every entry of every purchase, through that date.
    func entries(through date: String) -> [(booked: BookedTransaction, entry: MoneyLedger.Entry)] {
        let end = CivilTime.end(ofDate: date)
        return entries.flatMap { booked, entries in entries.filter { $0.at < end }.map { (booked, $0) } }
    }
}

extension BookedTransaction {
    /// What its money is of.
    var line: [String?] { [appID, productID, currency] }
}

extension MoneyLedger.Entry {
    /// Nil of a charge.
    var givenBack: (count: Int128, micros: Int128)? {
        switch kind {
        case .charge: nil
        case .refund: (1, Int128(micros))
        case .reversal(let count): (Int128(-count), Int128(-micros))
        }
    }
}
