// SPDX-License-Identifier: Apache-2.0

// Who tried, came, stayed and left.

extension MetricBooks {
    /// Of who is active at the end of a day (UTC), those whose paid time ends within the 90 days after it, and what their
    /// renewals would bring.
    ///
    /// `amount`: of those whose renewal is on, in micros; unknown where the price is. `amount_source`: whether the store says what it
    /// costs, or it is what is paid now.
    package func renewals(after date: String) -> [MetricRow] {
        let end = CivilTime.end(ofDate: date)
        var table = MetricTable(
            of: ["date", "app_id", "product_id", "country", "currency", "amount_source"],
            ["due", "set_to_cancel", "at_risk"],
            known: ["amount"])
        for line in lineages {
            let statuses = line.statuses(at: end, subscriptions)
            guard let period = statuses.first(where: { $0.status == .active })?.period else { continue }
            let due = line.end(of: period)
            guard (end..<end + 90 * CivilTime.day).contains(due) else { continue }
            let price = renewalPrice(of: period)
            let isSetToCancel = statuses.contains { $0.status == .setToCancel }
            table.add(
                [CivilTime.date(of: due), line.appID, period.productID, period.country, price.currency, price.source],
                [
                    "due": 1, "set_to_cancel": isSetToCancel ? 1 : 0,
                    "at_risk": statuses.contains { $0.status == .grace } ? 1 : 0,
                    "amount": price.currency.map { _ in isSetToCancel ? 0 : price.micros },
                ])
        }
        return table.rows()
    }

    /// What the store said last of a period's renewal while it was the newest one, or listed on its order; else what it costs itself.
    private func renewalPrice(of period: LinedPeriod) -> (micros: Int128, currency: String?, source: String) {
        let current = subscriptions[period.subscriptionID].flatMap { $0.expiresAt == period.declaredEnd ? $0 : nil }
        let said =
            current.map { SaidRenewal(micros: $0.renewalMicros, currency: $0.renewalCurrency) }
            ?? books.disclosed.renewals[period.subscriptionID]?[period.declaredEnd]
        if period.image.recurringCharge == nil, let said, let micros = said.micros {
            return (Int128(micros), said.currency, "store")
        }
        let source = period.image.recurringCharge == nil ? "paid" : "store"
        return (period.renewalMicros, period.value(by: lengths)?.currency, source)
    }

    /// Each calendar month (UTC), the last one through that date: who stayed, tried, came and left, and the money.
    ///
    /// Trials have no currency, nor has what has no known price.
    package func countries(through date: String) -> [MetricRow] {
        let end = CivilTime.end(ofDate: date)
        var table = MetricTable(
            of: ["month", "app_id", "product_id", "country", "currency"],
            [
                "active", "trials_started", "trials_converted", "new", "churned", "closing_mrr", "gross", "refunded",
                "net",
            ], nanos: ["closing_mrr"])
        for line in lineages {
            countCustomers(of: line, before: end, in: &table)
            for trial in line.trials() where trial.start < end {
                table.add(
                    [CivilTime.month(of: trial.start), line.appID, trial.productID, trial.country, nil],
                    ["trials_started": 1, "trials_converted": outcome(of: trial, of: line).isConverted ? 1 : 0])
            }
        }
        for (booked, entry) in entries(through: date) {
            let place = [
                CivilTime.month(of: entry.at), booked.appID, booked.productID, booked.country, booked.currency,
            ]
            if let back = entry.givenBack {
                table.add(place, ["refunded": back.micros, "net": -back.micros])
            } else {
                table.add(place, ["gross": Int128(entry.micros), "net": Int128(entry.micros)])
            }
        }
        return table.rows()
    }

    private func countCustomers(of line: Lineage, before end: Int64, in table: inout MetricTable) {
        let place = { (instant: Int64, period: LinedPeriod) in
            [
                CivilTime.month(of: instant), line.appID, period.productID, period.country,
                period.value(by: lengths)?.currency,
            ]
        }
        if let first = line.firstPaid, !line.isImported, first.start < end {
            table.add(place(first.start, first), ["new": 1])
        }
        for segment in line.segments where segment.hasChurned && segment.end < end {
            table.add(place(segment.end, segment.last), ["churned": 1])
        }
        for (begin, next) in line.months(before: end) {
            guard let period = line.paid(at: min(next, end)) else { continue }
            table.add(
                place(begin, period), ["active": 1, "closing_mrr": period.monthlyWorth(by: lengths) ?? 0])
        }
    }

    /// Each calendar month (UTC), the last one through that date, of those who paid for the n-th time: how many the month
    /// began with, and what became of their renewals.
    package func tenures(through date: String) -> [MetricRow] {
        let end = CivilTime.end(ofDate: date)
        var table = MetricTable(
            of: ["month", "app_id", "product_id", "customer", "tenure"],
            ["opening", "churned_of_opening", "due", "renewed", "plan_changes"])
        for line in lineages.map({ $0.numbered() }) {
            let place = { (instant: Int64, period: LinedPeriod) in
                [CivilTime.month(of: instant), line.appID, period.productID]
                    + [period.tenure?.customer, period.tenure.map { String($0.payment) }]
            }
            for (begin, next) in line.months(before: end) {
                guard let period = line.paid(at: begin) else { continue }
                let hasChurned = line.hasChurned(from: begin, to: min(next, end))
                table.add(place(begin, period), ["opening": 1, "churned_of_opening": hasChurned ? 1 : 0])
            }
            for (period, figures) in line.renewals(before: end) {
                table.add(place(period.declaredEnd, period), figures)
            }
        }
        return table.rows()
    }

    /// Trials by the day (UTC) of their start, through that date, and what became of them.
    ///
    /// - `converted`: paid by the trial's end, its grace included.
    /// - `refunded`: of the converted, those whose first paid period was given back, in part or whole.
    package func trials(through date: String) -> [MetricRow] {
        let end = CivilTime.end(ofDate: date)
        var table = MetricTable(
            of: ["cohort_date", "app_id", "product_id"], ["started", "converted", "refunded", "pending", "ended"])
        for line in lineages {
            for trial in line.trials() where trial.start < end {
                let place = [CivilTime.date(of: trial.start), line.appID, trial.productID]
                table.add(place, ["started": 1])
                switch outcome(of: trial, of: line) {
                case .converted(let isRefunded): table.add(place, ["converted": 1, "refunded": isRefunded ? 1 : 0])
                case .pending: table.add(place, ["pending": 1])
                case .ended: table.add(place, ["ended": 1])
                }
            }
        }
        return table.rows()
    }

    private func outcome(of trial: Trial, of line: Lineage) -> Trial.Outcome {
        line.outcome(of: trial, in: subscriptions[trial.subscriptionID]?.state, at: now)
    }
}
