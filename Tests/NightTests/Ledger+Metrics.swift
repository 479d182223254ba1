// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model

@testable import StoreSimulator

/// A line of an issued file, cell by cell.
struct ReportLine {
    /// Where each column stands.
    let header: [String: Int]
    let cells: [Substring]

    /// The lines of a CSV without quoted fields.
    static func lines(of text: String) -> [ReportLine] {
        let lines = text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let names = (lines.first ?? []).enumerated().map { (String($1), $0) }
        let header = Dictionary(names) { first, _ in first }
        return lines.dropFirst().map { ReportLine(header: header, cells: $0) }
    }

    func has(_ name: String) -> Bool { header[name] != nil }

    private func cell(_ name: String) throws -> Substring {
        guard let place = header[name], cells.indices.contains(place) else {
            throw NightError("the file has no column \(name)")
        }
        return cells[place]
    }

    func text(_ name: String) throws -> String { String(try cell(name)) }

    func known(_ name: String) throws -> String? {
        let cell = try cell(name)
        return cell.isEmpty ? nil : String(cell)
    }

    func count(_ name: String) throws -> Int {
        guard let count = Int(try cell(name)) else { throw NightError("\(try cell(name)) is no count (\(name))") }
        return count
    }

    /// "9.990000" is 9,990,000 millionths: six decimals, always.
    func millionths(_ name: String) throws -> Int64 {
        guard let value = try knownMillionths(name) else { throw NightError("the file has no \(name)") }
        return value
    }

    func knownMillionths(_ name: String) throws -> Int64? {
        let cell = try cell(name)
        // Most of them, and there are many.
        if cell == "0.000000" { return 0 }
        if cell.isEmpty { return nil }
        let parts = cell.split(separator: ".")
        guard parts.count == 2, parts[1].count == 6, let value = Int64(parts.joined()) else {
            throw NightError("\(cell) is no amount with six decimals (\(name))")
        }
        return value
    }
}

extension BridgeRow {
    init(_ line: ReportLine) throws {
        var movements: [Movement: Int64] = [:]
        for movement in Movement.allCases { movements[movement] = try line.millionths(movement.rawValue) }
        guard try line.millionths("fx") == 0 else { throw NightError("rates are frozen, and yet fx is not zero") }
        self.init(
            date: try line.text("date"), appID: try line.text("app_id"), productID: try line.text("product_id"),
            currency: try line.text("currency"), opening: try line.millionths("opening"), movements: movements,
            closing: try line.millionths("closing"))
    }
}

extension NightWorld {
    /// A file of a night's issue, in the words of the books; each line must name the store of its app.
    func rows<Row: Hashable>(_ file: String, of night: Int, _ read: (ReportLine) throws -> Row?) throws -> Set<Row> {
        let path = reports + "/" + Self.businessDate(of: night) + "/\(file).csv"
        let lines = ReportLine.lines(of: try String(contentsOfFile: path, encoding: .utf8))
        for line in lines where line.has("store") {
            let isPlay = try line.text("app_id").contains("android")
            guard try line.text("store") == (isPlay ? "google_play" : "app_store") else {
                throw NightError("\(file).csv: \(line.cells) names another store than its app's")
            }
        }
        let rows = try lines.compactMap(read)
        guard Set(rows).count == rows.count else { throw NightError("\(file).csv says something twice") }
        return Set(rows)
    }
}

extension SubscriberRow {
    init(_ line: ReportLine) throws {
        var counts: [Status: Int] = [:]
        for status in Status.allCases { counts[status] = try line.count(status.rawValue) }
        self.init(
            date: try line.text("date"), appID: try line.text("app_id"), productID: try line.text("product_id"),
            counts: counts, seats: try line.count("seats"))
    }
}

/// Those at risk, and for how long: which depends on when it was learned, so that the books do not say it.
struct AtRiskLine: Hashable {
    let row: AtRiskRow
    let days: String

    init(_ line: ReportLine) throws {
        var row = AtRiskRow(
            appID: try line.text("app_id"), productID: try line.text("product_id"),
            state: try BookedTransaction.word(line.text("state")), subscriptions: try line.count("subscriptions"),
            mrrMicros: try line.knownMillionths("mrr"), currency: try line.known("currency"))
        row.neverPaid = try line.count("never_paid")
        self.row = row
        days = try line.text("days_at_risk")
    }

    /// Lines that differ in nothing but their days are one row of the books. Each amount is rounded: their sum may be off by as
    /// many micros as there are lines, and is that of the books then.
    static func together(_ lines: [AtRiskLine], like books: [AtRiskRow]) -> [AtRiskRow] {
        Dictionary(grouping: lines.map(\.row)) { $0.place }.map { place, rows in
            var sum = rows[0]
            sum.subscriptions = rows.map(\.subscriptions).reduce(0, +)
            sum.neverPaid = rows.map(\.neverPaid).reduce(0, +)
            let micros = rows.compactMap(\.mrrMicros)
            sum.mrrMicros = micros.count == rows.count ? micros.reduce(0, +) : nil
            if let found = sum.mrrMicros, let exact = books.first(where: { $0.place == place })?.mrrMicros,
                abs(found - exact) < rows.count
            {
                sum.mrrMicros = exact
            }
            return sum
        }
    }
}

extension AtRiskRow {
    fileprivate var place: [String] { [appID, productID, state.rawValue, currency ?? ""] }
}

extension RefundMatrixRow {
    init(_ line: ReportLine) throws {
        self.init(
            soldMonth: try line.text("sold_month"), refundedMonth: try line.text("refunded_month"),
            appID: try line.text("app_id"), productID: try line.text("product_id"), currency: try line.text("currency"),
            refunds: try line.count("refunds"), refundedMicros: try line.millionths("refunded"))
    }
}

extension DueRow {
    init(_ line: ReportLine) throws {
        self.init(
            date: try line.text("date"), appID: try line.text("app_id"), productID: try line.text("product_id"),
            country: try line.known("country"), currency: try line.known("currency"))
        (due, setToCancel, atRisk) = (
            try line.count("due"), try line.count("set_to_cancel"), try line.count("at_risk")
        )
        amountMicros = try line.knownMillionths("amount")
    }
}

extension CountryRow {
    /// Fails where net is not that of the figures beside it.
    init(_ line: ReportLine) throws {
        self.init(
            month: try line.text("month"), appID: try line.text("app_id"), productID: try line.text("product_id"),
            country: try line.known("country"), currency: try line.known("currency"))
        (active, new, churned) = (try line.count("active"), try line.count("new"), try line.count("churned"))
        (trialsStarted, trialsConverted) = (try line.count("trials_started"), try line.count("trials_converted"))
        closingMicros = try line.millionths("closing_mrr")
        (grossMicros, refundedMicros) = (try line.millionths("gross"), try line.millionths("refunded"))
        guard try line.millionths("net") == grossMicros - refundedMicros else {
            throw NightError("countries.csv, \(month): net is not gross less refunded")
        }
    }
}

extension TenureRow {
    init(_ line: ReportLine) throws {
        let word = try line.text("customer")
        guard let customer = Tenure.Customer(rawValue: word) else {
            throw NightError("tenure.csv: customer is \(word)")
        }
        self.init(
            month: try line.text("month"), appID: try line.text("app_id"), productID: try line.text("product_id"),
            tenure: Tenure(customer, payment: try line.count("tenure")))
        (opening, churned) = (try line.count("opening"), try line.count("churned_of_opening"))
        (due, renewed, planChanges) = (
            try line.count("due"), try line.count("renewed"), try line.count("plan_changes")
        )
    }
}

extension TrialRow {
    init(_ line: ReportLine) throws {
        self.init(
            date: try line.text("cohort_date"), appID: try line.text("app_id"), productID: try line.text("product_id"))
        (started, converted, refunded) = (
            try line.count("started"), try line.count("converted"), try line.count("refunded")
        )
        (pending, ended) = (try line.count("pending"), try line.count("ended"))
    }
}

extension CohortRow {
    init(_ line: ReportLine) throws {
        self.init(
            month: try line.text("cohort_month"), appID: try line.text("app_id"),
            number: try line.count("month_number"),
            size: try line.count("cohort_size"), paid: try line.known("paid").flatMap { Int($0) },
            revenueRetention: try line.knownMillionths("revenue_retention"))
    }
}

extension LifetimeRow {
    init(_ line: ReportLine) throws {
        self.init(
            month: try line.text("cohort_month"), appID: try line.text("app_id"), currency: try line.text("currency"),
            days: Int64(try line.count("days")), size: try line.count("cohort_size"),
            netMicros: try line.knownMillionths("net"), valueMicros: try line.knownMillionths("ltv"))
    }
}

extension RefundRow {
    init(_ line: ReportLine) throws {
        self.init(
            date: try line.text("date"), appID: try line.text("app_id"), productID: try line.text("product_id"),
            currency: try line.text("currency"), kind: try BookedTransaction.word(line.text("kind")),
            refunds: try line.count("refunds"), refundedMicros: try line.millionths("refunded"))
    }
}

extension RecognisedRow {
    init(_ line: ReportLine) throws {
        self.init(
            date: try line.text("date"), appID: try line.text("app_id"), productID: try line.text("product_id"),
            currency: try line.text("currency"), recognisedMicros: try line.millionths("recognised"),
            deferredMicros: try line.millionths("deferred"))
    }
}

extension ExclusionRow {
    /// Nil of a reason that the stores' books do not know: what depends on exchange rates.
    init?(_ line: ReportLine) throws {
        guard let reason = Reason(rawValue: try line.text("reason")) else { return nil }
        self.init(
            date: try line.text("date"), appID: try line.text("app_id"), reason: reason, rows: try line.count("rows"))
    }
}

extension RefundRateRow {
    /// Fails where a rate is not that of the figures beside it.
    init(_ line: ReportLine) throws {
        self.init(
            month: try line.text("month"), appID: try line.text("app_id"), productID: try line.text("product_id"),
            currency: try line.text("currency"))
        (charges, chargedMicros) = (try line.count("charges"), try line.millionths("charged"))
        (refunds, refundedMicros) = (try line.count("refunds"), try line.millionths("refunded"))
        (chargesGivenBack, givenBackMicros) = (try line.count("charges_given_back"), try line.millionths("given_back"))
        let told = try ["refund_rate", "refunded_share", "charge_refund_rate", "given_back_share"].map {
            try line.knownMillionths($0)
        }
        guard told == rates else { throw NightError("refund_rates.csv, \(month): \(told), not \(rates)") }
    }
}

extension MonthRow {
    /// Of the months before `last` what was set to cancel is left out.
    init(_ line: ReportLine, last: String) throws {
        self.init(
            month: try line.text("month"), appID: try line.text("app_id"), productID: try line.text("product_id"),
            currency: try line.known("currency"))
        (opening, churned) = (try line.count("opening"), try line.count("churned_of_opening"))
        (due, renewed) = (try line.count("due"), try line.count("renewed"))
        (planChanges, active) = (try line.count("plan_changes"), try line.count("active"))
        (openingMicros, lostMicros) = (try line.millionths("opening_mrr"), try line.millionths("lost_mrr"))
        (closingMicros, yearMicros) = (try line.millionths("closing_mrr"), try line.millionths("arr"))
        closingNetOfTax = try line.knownMillionths("closing_mrr_net_of_tax")
        closingProceeds = try line.knownMillionths("closing_mrr_proceeds")
        netOfTaxEstimatedShare = try line.knownMillionths("net_of_tax_estimated_share")
        proceedsEstimatedShare = try line.knownMillionths("proceeds_estimated_share")
        churnRate = try line.knownMillionths("churn_rate")
        (grossChurn, netChurn) = (
            try line.knownMillionths("gross_mrr_churn"), try line.knownMillionths("net_mrr_churn")
        )
        (grossRetention, netRetention) = (try line.knownMillionths("grr"), try line.knownMillionths("nrr"))
        netRetentionWithReactivation = try line.knownMillionths("nrr_with_reactivation")
        (quickRatio, renewalRate) = (
            try line.knownMillionths("quick_ratio"), try line.knownMillionths("renewal_rate")
        )
        setToCancel = month == last ? try line.count("set_to_cancel") : nil
    }
}
