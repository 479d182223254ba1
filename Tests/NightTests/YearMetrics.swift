// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// The metrics of a night's issue against the stores' own books: counts exactly, money to the micro.
extension NightWorld {
    func expectMetrics(
        _ column: BookColumn, night: Int, lengths: PeriodLengths = .dates,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (date, books) = (Self.businessDate(of: night), stores.books.metrics(column, lengths: lengths))
        let expect = MetricComparison(world: self, night: night, location: sourceLocation)
        try expect.same("mrr_bridge", BridgeRow.init, books.bridge(through: date))
        try expectSubscribers(books, expect)
        try expectAtRisk(books.atRisk(on: date), night: night, sourceLocation: sourceLocation)
        try expect.same("refunds", RefundRow.init, books.refunds(through: date))
        try expect.same("refund_rates", RefundRateRow.init, books.refundRates(through: date))
        try expect.same("refund_matrix", RefundMatrixRow.init, books.refundMatrix(through: date))
        try expect.same("renewals", DueRow.init, books.renewals(after: date))
        try expect.same("countries", CountryRow.init, books.countries(through: date))
        try expect.same("tenure", TenureRow.init, books.tenures(through: date))
        try expect.same("recognised", RecognisedRow.init, books.recognised(through: date))
        try expect.same("trials", TrialRow.init, books.trials(through: date))
        try expect.same("cohorts", CohortRow.init, books.cohorts(through: date))
        try expect.same("ltv", LifetimeRow.init, books.lifetimes(through: date))
        try expect.same("exclusions", ExclusionRow.init, books.exclusions(through: date))
        try ConvertedFigures(rates: ["USD": 1]).expect(self, night: night, sourceLocation: sourceLocation)
        let month = String(date.prefix(7))
        try expect.same(
            "metrics", { try MonthRow($0, last: month).nonEmpty },
            books.months(through: date))
    }

    private func expectAtRisk(_ books: [AtRiskRow], night: Int, sourceLocation: SourceLocation) throws {
        let lines = Array(try rows("at_risk", of: night, AtRiskLine.init))
        expectSame(
            Set(AtRiskLine.together(lines, like: books)), Set(books), "at_risk.csv, night \(night)",
            sourceLocation: sourceLocation)
    }

    /// Hands in how long a period of each product lasts.
    func importProducts(before night: Int) async throws {
        let file = directory + "/products.csv"
        let lines = stores.productPeriods.map { "\($0.appID),\($0.productID),\($0.period),,,,\($0.basePlanID ?? "")" }
        try (["app_id,product_id,period,subscription_group,level,valid_from,base_plan_id"] + lines).joined(
            separator: "\n"
        )
        .write(toFile: file, atomically: true, encoding: .utf8)
        let result = try await subledger("import", "products", file, "--now", Self.instant(of: night - 1).iso8601)
        guard result.exitCode == 0 else { throw NightError("import: \(result.standardError.suffix(2_000))") }
    }

    /// What was set to cancel, in grace, awaited or paused on an earlier day depends on when it was learned: of the whole
    /// history the rest is compared, of the last day all of it.
    private func expectSubscribers(_ books: MetricBooks, _ expect: MetricComparison) throws {
        let date = Self.businessDate(of: expect.night)
        try expect.same(
            "subscribers",
            { line in
                let row = try SubscriberRow(line)
                return row.date == date ? row : nil
            }, books.subscribers(on: date))
        try expect.same(
            "subscribers",
            { line in
                let row = try SubscriberRow(line).dated
                return row.counts.isEmpty ? nil : row
            }, books.datedSubscribers(through: date))
    }
}

/// Holds one file after the other of one night's issue against what the books say should be in it.
struct MetricComparison {
    let world: NightWorld
    let night: Int
    let location: SourceLocation

    /// Lines that are read as nil are none of the books'.
    func same<Row: Hashable>(
        _ file: String, _ read: (ReportLine) throws -> Row?, _ expected: [Row]
    ) throws {
        #expect(Set(expected).count == expected.count, "the books say something twice", sourceLocation: location)
        expectSame(
            try world.rows(file, of: night, read), Set(expected), "\(file).csv, night \(night)",
            sourceLocation: location)
    }
}

extension MonthRow {
    fileprivate var nonEmpty: MonthRow? { isEmpty ? nil : self }
}
