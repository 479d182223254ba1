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
        try expect.same("mrr_bridge", books.bridge(through: date))
        try expectSubscribers(books, expect)
        let atRisk = books.atRisk(on: date)
        expectSame(
            try atRiskRows(of: night, like: atRisk), Set(atRisk), "at_risk.csv, night \(night)",
            sourceLocation: sourceLocation)
        try expect.same("refunds", books.refunds(through: date))
        try expect.same("refund_rates", books.refundRates(through: date))
        try expect.same("refund_matrix", books.refundMatrix(through: date))
        try expect.same("renewals", books.renewals(after: date))
        try expect.same("countries", books.countries(through: date))
        try expect.same("tenure", books.tenures(through: date))
        try expect.same("recognised", books.recognised(through: date))
        try expect.same("trials", books.trials(through: date))
        try expect.same("cohorts", books.cohorts(through: date))
        try expect.same("ltv", books.lifetimes(through: date))
        // What depends on exchange rates is no reason that the stores' books know.
        try expect.same("exclusions", books.exclusions(through: date)) { row in
            row.words["reason"].flatMap(ExclusionReason.init(rawValue:)) == nil ? nil : row
        }
        try ConvertedFigures(rates: ["USD": 1]).expect(self, night: night, sourceLocation: sourceLocation)
        let month = String(date.prefix(7))
        try expect.same("metrics", books.months(through: date)) { told in
            var row = told
            if row.words["month"] != month { row["set_to_cancel"] = nil }
            return row.saysSomethingOfItsMonth ? row : nil
        }
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
        try expect.same("subscribers", books.subscribers(on: date)) { $0.words["date"] == date ? $0 : nil }
        try expect.same("subscribers", books.datedSubscribers(through: date), \.dated)
    }
}

/// Holds one file after the other of one night's issue against what the books say should be in it.
struct MetricComparison {
    let world: NightWorld
    let night: Int
    let location: SourceLocation

    /// Lines of which nothing is left are none of the books'.
    func same(
        _ file: String, _ expected: [MetricRow], _ left: (MetricRow) -> MetricRow? = { $0 }
    ) throws {
        #expect(Set(expected).count == expected.count, "the books say something twice", sourceLocation: location)
        let rows = try world.read(file, of: night, like: expected).compactMap { left($0.row) }
        guard Set(rows).count == rows.count else { throw NightError("\(file).csv says something twice") }
        expectSame(Set(rows), Set(expected), "\(file).csv, night \(night)", sourceLocation: location)
    }
}
