// SPDX-License-Identifier: Apache-2.0

/// What the page opens with: how MRR moved and why, what the next week brings, and what may be lost.
struct PageSentences {
    private static let weekDays = 7
    /// Movements of MRR as a sentence names them, and the columns that each adds up.
    private static let movements = [
        ("new", ["new"]), ("again", ["reactivation", "recovery"]), ("more", ["expansion"]), ("less", ["contraction"]),
        ("lost", reasons), ("waiting", ["lapsed", "paused"]), ("rest", ["imported", "moved_in", "moved_out", "fx"]),
    ]
    private static let reasons = [
        "churn_voluntary", "churn_involuntary", "churn_price", "churn_product", "churn_refund", "churn_other",
    ]

    let cubes: [PageCube]
    let money: PageMoney
    let texts: PageTexts
    let period: PagePeriod
    let company: PagePivot?

    func all() throws(ReportError) -> [String] {
        [try moved(), try lost(), basis(), month(), try week(), try atRisk()].compactMap(\.self)
    }

    private var days: ClosedRange<Int> {
        period.lastDay - period.window(PagePeriod.cardDays) + 1...period.lastDay
    }

    // MARK: MRR

    private func moved() throws(ReportError) -> String? {
        guard let row = try row(of: "mrr_bridge", in: days), let opening = row("opening"), let closing = row("closing")
        else { return nil }
        var parts: [String] = []
        for (name, columns) in Self.movements {
            let sum = try PageLine.sum(of: columns.compactMap { row($0) })
            if sum != 0 { parts.append(texts["mrr_\(name)", "amount", signed(sum)]) }
        }
        let growth = AmountText.growth(closing, from: opening).map { texts["inBrackets", "text", $0] } ?? ""
        let name = closing == opening ? "mrrStayed" : closing > opening ? "mrrRose" : "mrrFell"
        let sentence =
            texts[
                name, "change", amount(abs(closing - opening)), "growth", growth, "closing", amount(closing), "days",
                texts.days(days.count)] + (period.isBefore(day: days.lowerBound - 1) ? " †" : "")
        return parts.isEmpty
            ? sentence + texts["fullStop"] : sentence + texts["colon"] + list(parts) + texts["fullStop"]
    }

    /// Where more than half of what was lost is of one product or has one reason.
    private func lost() throws(ReportError) -> String? {
        guard let row = try row(of: "mrr_bridge", in: days) else { return nil }
        let whole = -(try PageLine.sum(of: Self.reasons.compactMap { row($0) }))
        guard whole > 0 else { return nil }
        let products = try lossByProduct()
        let reason = Self.reasons.max { -(row($0) ?? 0) < -(row($1) ?? 0) }
        let ofReason = reason.map { [(texts["reason_\($0)"], -(row($0) ?? 0))] } ?? []
        let parts = [("lostProduct", products), ("lostReason", ofReason)].flatMap { name, losses in
            losses.filter { $0.1 > whole / 2 }.compactMap { loss in
                AmountText.share(loss.1, of: whole).map { texts[name, "name", loss.0, "share", $0] }
            }
        }
        return parts.isEmpty ? nil : texts["lostMostly", "parts", parts.joined(separator: texts["and"])]
    }

    private func lossByProduct() throws(ReportError) -> [(String, Int64)] {
        guard let cube = cube("mrr_bridge") else { return [] }
        let sums = try PageView(cube: cube, money: money).sums(.column("product_id"), of: cube.days, in: days)
        guard sums.count > 1 else { return [] }
        return try sums.map { group, figures throws(ReportError) in
            let losses = Self.reasons.compactMap { name in
                cube.columns.firstIndex { $0.name == name }.flatMap { figures[$0] }
            }
            return (texts.value(group.first, of: "product_id"), -(try PageLine.sum(of: losses)))
        }
    }

    // MARK: The whole company

    private func basis() -> String? {
        guard let company, let month = company.labels.last, company.micros("mrr_proceeds", of: month) != nil else {
            return nil
        }
        let missing = ["mrr_net_of_tax_missing", "mrr_proceeds_missing"]
        let isWhole = missing.allSatisfy { company.micros($0, of: month) ?? 0 == 0 }
        let words = { (names: [String]) in names.flatMap { [$0, companyText($0, month)] } }
        let lacking = isWhole ? "" : FilledText.filled(texts["mrrBasisMissing"], words(missing))
        return FilledText.filled(
            texts["mrrBasis"], words(["mrr_net_of_tax", "mrr_proceeds"]) + ["missing", lacking])
    }

    private func month() -> String? {
        guard let company, let month = company.lastWholeMonth(on: period.lastDay),
            company.micros("nrr", of: month) != nil
        else { return nil }
        let words = ["growth", "grr", "nrr", "arpu"].flatMap { [$0, companyText($0, month)] }
        return FilledText.filled(texts["companyMonth"], words + ["month", month])
    }

    private func companyText(_ figure: String, _ month: String) -> String {
        let text = company?.text(figure, of: month, in: money.currency) ?? texts["unknown"]
        return company?.isMoney(figure) == true ? "\(text) \(money.currency)" : text
    }

    // MARK: What comes

    private func week() throws(ReportError) -> String? {
        let week = period.lastDay + 1...period.lastDay + Self.weekDays
        guard let row = try row(of: "renewals", in: week), let due = row("due"), due > 0 else { return nil }
        return texts[
            "renewWeek", "due", AmountText.count(due), "amount", amount(row("amount")), "cancel",
            AmountText.count(row("set_to_cancel") ?? 0), "risk", AmountText.count(row("at_risk") ?? 0)]
    }

    private func atRisk() throws(ReportError) -> String? {
        guard let cube = cube("at_risk") else { return nil }
        let sums = try PageView(cube: cube, money: money).sums(.column("state"), of: cube.months, in: nil)
        let states = Dictionary(sums.map { ($0.key.first, $0.value) }) { first, _ in first }
        func figure(_ column: String, _ names: [String]) throws(ReportError) -> Int64 {
            guard let place = cube.columns.firstIndex(where: { $0.name == column }) else { return 0 }
            return try PageLine.sum(of: names.compactMap { states[$0]?[place] })
        }
        let risk = ["grace", "billing_retry"]
        let count = try figure("subscriptions", risk)
        let cancelled = try figure("subscriptions", ["set_to_cancel"])
        guard count > 0 || cancelled > 0 else { return nil }
        return texts[
            "riskNow", "count", AmountText.count(count), "mrr", amount(try figure("mrr", risk)), "cancel",
            AmountText.count(cancelled), "cancelMRR", amount(try figure("mrr", ["set_to_cancel"]))]
    }

    // MARK: Figures

    private func cube(_ report: String) -> PageCube? { cubes.first { $0.name == report } }

    /// A report's figures of those days by column; nil where there is no row.
    private func row(
        of report: String, in days: ClosedRange<Int>
    ) throws(ReportError) -> ((_ column: String) -> Int64?)? {
        guard let cube = cube(report) else { return nil }
        let sums = try PageView(cube: cube, money: money).sums(.column(""), of: cube.days, in: days)
        return sums.values.first.map { figures in
            { column in cube.columns.firstIndex { $0.name == column }.flatMap { figures[$0] } }
        }
    }

    private func amount(_ micros: Int64?) -> String {
        micros.map { "\(AmountText.amount($0, in: money.currency)) \(money.currency)" } ?? texts["unknown"]
    }

    private func signed(_ micros: Int64) -> String {
        (micros > 0 ? "+" : "") + AmountText.amount(micros, in: money.currency)
    }

    private func list(_ parts: [String]) -> String { parts.joined(separator: texts["comma"]) }
}
