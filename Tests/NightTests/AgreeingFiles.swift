// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import StoreSimulator

/// The files of one issue say the same wherever they speak of the same: no look at the books, nor at how a file is made.
struct AgreeingFiles {
    /// Figures by what they are of: days or months, apps, products, currencies, words.
    private typealias Figures = [[String]: Int64]

    let world: NightWorld
    let night: Int
    let location: SourceLocation

    private var lastDay: String { NightWorld.businessDate(of: night) }

    func expect() async throws {
        try expectSubscribers()
        try expectMoney()
        try expectMonths()
        try expectCompany()
        try expectCountries()
        try expectRefunds()
        try await expectCohorts()
    }

    // MARK: - Who stands where

    /// A day opens with who paid at the end of the one before, and who may be lost is part of them.
    private func expectSubscribers() throws {
        let active = try sums("subscribers", by: "date", "app_id", "product_id") { try $0.count("active") }
        let openings = try sums("churn", by: "date", "app_id", "product_id") { try $0.count("opening") }
        let before = Dictionary(active.map { (Self.dayAfter($0), $1) }) { $1 }.filter { $0.key[0] <= lastDay }
        same(openings, before, "churn's opening, the active of the day before")
        for state in ["grace", "billing_retry", "set_to_cancel"] {
            let standing = try sums("subscribers", by: "app_id", "product_id") { line in
                try line.text("date") == lastDay ? try line.count(state) : 0
            }
            let atRisk = try sums("at_risk", by: "app_id", "product_id") { line in
                try line.text("state") == state ? try line.count("subscriptions") : 0
            }
            same(atRisk, standing, "at_risk and subscribers: \(state)", mayBeNone: true)
        }
    }

    // MARK: - Money

    /// The whole company has what its products have, and one month opens with what the one before closed with.
    private func expectCompany() throws {
        let figures = try sums("company", by: "month", "figure") { try $0.amount("value") }
        for (figure, column) in [
            ("mrr", "closing_mrr"), ("mrr_net_of_tax", "closing_mrr_net_of_tax"),
            ("mrr_proceeds", "closing_mrr_proceeds"),
        ] {
            let whole = figures.filter { $0.key[1] == figure }
            let parts = try sums("metrics", by: "month") { try $0.amount("\(column)_reporting") }
            same(
                whole, Dictionary(uniqueKeysWithValues: parts.map { ($0 + [figure], $1) }),
                "company's \(figure) and metrics")
        }
        let opening = try sums("company", by: "month") { line in
            try line.text("figure") == "growth" ? try line.amount("denominator") : 0
        }
        let growth = try sums("company", by: "month") { line in
            let figure = try line.text("figure")
            if figure == "growth" { return try line.amount("numerator") }
            return figure == "mrr" ? -(try line.amount("value")) : 0
        }
        same(growth.mapValues { -$0 }, opening, "company's closing less what it grew by, and its opening")
    }

    /// What was billed is recognised or deferred.
    private func expectMoney() throws {
        let place = ["app_id", "product_id", "currency"]
        let net = try sums("revenue", by: place) { try $0.amount("net") }
        let recognised = try sums("recognised", by: place) { try $0.amount("recognised") }
        let deferred = try sums("recognised", by: place) { line in
            try line.text("date") == lastDay ? try line.amount("deferred") : 0
        }
        same(recognised.merging(deferred, uniquingKeysWith: +), net, "recognised and deferred, and net revenue")
    }

    /// A month's rates begin and end with the bridge, and tell tenures apart without losing anybody.
    private func expectMonths() throws {
        let place = ["month", "app_id", "product_id", "currency"]
        let closing = try sums("metrics", by: place) { try $0.amount("closing_mrr") }
        same(
            closing, try levels("mrr_bridge", "closing", at: isLastOfMonth),
            "metrics' closing_mrr and the bridge's closing")
        let opening = try sums("metrics", by: place) { try $0.amount("opening_mrr") }
        same(
            opening, try levels("mrr_bridge", "opening") { $0.hasSuffix("-01") },
            "metrics' opening_mrr and the bridge's opening")
        let active = try sums("metrics", by: "month", "app_id", "product_id") { try $0.count("active") }
        let standing = try sums("subscribers", by: "date", "app_id", "product_id") { line in
            try isLastOfMonth(line.text("date")) ? try line.count("active") : 0
        }
        same(active, Self.byMonth(standing), "metrics' and subscribers' active")
        for figure in ["opening", "churned_of_opening", "due", "renewed", "plan_changes"] {
            let together = try sums("metrics", by: "month", "app_id", "product_id") { try $0.count(figure) }
            let apart = try sums("tenure", by: "month", "app_id", "product_id") { try $0.count(figure) }
            same(apart, together, "tenure and metrics: \(figure)")
        }
    }

    private func expectCountries() throws {
        let place = ["month", "app_id", "product_id"]
        same(
            try sums("countries", by: place) { try $0.count("active") },
            try sums("metrics", by: place) { try $0.count("active") }, "countries' and metrics' active")
        same(
            try sums("countries", by: place + ["currency"]) { try $0.amount("gross") },
            Self.byMonth(
                try sums("revenue", by: ["date"] + place.dropFirst() + ["currency"]) { try $0.amount("gross") }),
            "countries' and revenue's gross")
        let started = try sums("trials", by: "cohort_date", "app_id", "product_id") { try $0.count("started") }
        same(
            try sums("countries", by: place) { try $0.count("trials_started") }, Self.byMonth(started),
            "countries' and trials' starts")
    }

    private func expectRefunds() throws {
        let place = ["app_id", "product_id", "currency"]
        let refunded = Self.byMonth(try sums("refunds", by: ["date"] + place) { try $0.amount("refunded") })
        same(
            try sums("refund_matrix", by: ["refunded_month"] + place) { try $0.amount("refunded") }, refunded,
            "refund_matrix and refunds")
        same(
            try sums("refund_rates", by: ["month"] + place) { try $0.amount("refunded") }, refunded,
            "refund_rates and refunds")
    }

    /// Who belongs to a cohort has a lifetime value, but those of whose first payment nobody knows the price.
    private func expectCohorts() async throws {
        let all = try sums("cohorts", by: "cohort_month", "app_id") { line in
            try line.text("month_number") == "0" ? try line.count("cohort_size") : 0
        }
        let valued = try sums("ltv", by: "cohort_month", "app_id") { line in
            try line.text("days") == "30" ? try line.count("cohort_size") : 0
        }
        var unpriced: Figures = [:]
        for row in try await world.connection.lines(
            """
            select to_char(start_day, 'YYYY-MM'), app_id, count(*) from marts.paid_periods
            where entry = 'new' and currency is null and start_day <= '\(lastDay)' group by 1, 2
            """)
        {
            let cells = row.split(separator: "|").map(String.init)
            unpriced[[cells[0], cells[1]]] = Int64(cells[2])
        }
        same(valued.merging(unpriced, uniquingKeysWith: +), all, "cohorts and ltv with those of an unknown price")
    }

    // MARK: - Sums

    private func same(_ found: Figures, _ expected: Figures, _ what: String, mayBeNone: Bool = false) {
        let keys = Set(found.keys).union(expected.keys)
        let differing = keys.filter { found[$0, default: 0] != expected[$0, default: 0] }.sorted {
            $0.lexicographicallyPrecedes($1)
        }
        #expect(
            differing.isEmpty,
            """
            \(what), night \(night), \(differing.count) of \(keys.count): \
            \(differing.prefix(3).map { "\($0): \(found[$0, default: 0]), \(expected[$0, default: 0])" })
            """, sourceLocation: location)
        #expect(
            expected.contains { $0.value != 0 } || mayBeNone || night < 31, "\(what): nothing was compared",
            sourceLocation: location
        )
    }

    private func sums<Number: BinaryInteger>(
        _ file: String, by columns: String..., of figure: (ReportLine) throws -> Number
    ) throws -> Figures { try sums(file, by: columns, of: figure) }

    private func sums<Number: BinaryInteger>(
        _ file: String, by columns: [String], of figure: (ReportLine) throws -> Number
    ) throws -> Figures {
        let path = world.reports + "/\(lastDay)/\(file).csv"
        var sums: Figures = [:]
        for line in ReportLine.lines(of: try String(contentsOfFile: path, encoding: .utf8)) {
            sums[try columns.map { try line.text($0) }, default: 0] += Int64(try figure(line))
        }
        return sums
    }

    /// A level of the days that are asked for, by month.
    private func levels(_ file: String, _ column: String, at isAsked: (String) -> Bool) throws -> Figures {
        Self.byMonth(
            try sums(file, by: "date", "app_id", "product_id", "currency") { line in
                try isAsked(line.text("date")) ? try line.amount(column) : 0
            })
    }

    private static func byMonth(_ figures: Figures) -> Figures {
        Dictionary(figures.map { ([String($0[0].prefix(7))] + $0.dropFirst(), $1) }, uniquingKeysWith: +)
    }

    private func isLastOfMonth(_ day: String) -> Bool {
        day == lastDay || Self.dayAfter([day])[0].hasSuffix("-01")
    }

    private static func dayAfter(_ key: [String]) -> [String] {
        guard let number = CivilTime.dayNumber(ofDate: key[0]) else { return key }
        return [CivilTime.date(ofDay: number + 1)] + key.dropFirst()
    }
}

extension ReportLine {
    /// What is unknown adds nothing.
    fileprivate func amount(_ column: String) throws -> Int64 { try knownMillionths(column) ?? 0 }
}
