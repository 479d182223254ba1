// SPDX-License-Identifier: Apache-2.0

import Foundation

extension PlainBooks {
    struct Line: Hashable {
        let product: String
        let currency: String
    }

    /// What a report says, a line for each of its rows with any figure.
    struct Lines {
        /// Each is `date product currency opening bucket=amount… closing`.
        var bridge: [String] = []
        /// Each is `date product active`.
        var active: [String] = []
        /// Each is `date product opening voluntary involuntary price product refund other lapsed came_and_went`.
        var churn: [String] = []
    }

    /// Every day of the span asks every lineage of each store, in the zone of its rows.
    func days(from first: Date, through last: Date, zone: (String) -> TimeZone) -> Lines {
        var lines = Lines()
        for store in ["app_store", "google_play"] {
            let own = PlainBooks(lineages: lineages.filter { $0.first?.period.store == store }, catalogue: catalogue)
            own.addDays(from: first, through: last, zone: zone(store), to: &lines)
        }
        return Lines(bridge: lines.bridge.sorted(), active: lines.active.sorted(), churn: lines.churn.sorted())
    }

    private func addDays(from first: Date, through last: Date, zone: TimeZone, to lines: inout Lines) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
        var midnight = calendar.startOfDay(for: first)
        // A day and a half later it is tomorrow, however long today is.
        while midnight <= last {
            let next = calendar.startOfDay(for: midnight.addingTimeInterval(36 * 3_600))
            let date = style.format(midnight.addingTimeInterval(3 * 3_600))
            addBridge(of: date, midnight, next, to: &lines)
            for (product, count) in counts(before: next) { lines.active.append("\(date) \(product) \(count)") }
            addChurn(of: date, midnight, next, to: &lines)
            midnight = next
        }
    }

    private func addBridge(of date: String, _ midnight: Date, _ next: Date, to lines: inout Lines) {
        let (opening, closing, moved) = (values(before: midnight), values(before: next), moves(midnight, next))
        for line in Set(opening.keys).union(closing.keys).union(moved.keys) {
            let amounts = (moved[line] ?? [:]).filter { $0.value != .zero }.sorted { $0.key < $1.key }
            let sides = (opening[line] ?? .zero, closing[line] ?? .zero)
            guard !amounts.isEmpty || sides.0 != .zero || sides.1 != .zero else { continue }
            let texts = amounts.map { "\($0.key)=\($0.value.text)" }
            lines.bridge.append(
                ([date, line.product, line.currency, sides.0.text] + texts + [sides.1.text]).joined(separator: " "))
        }
    }

    /// Who was there when the day began, why some of them left on it, and who came and went within it.
    private func addChurn(of date: String, _ midnight: Date, _ next: Date, to lines: inout Lines) {
        let reasons = [
            "churn_voluntary", "churn_involuntary", "churn_price", "churn_product", "churn_refund", "churn_other",
            "lapsed", "came and went",
        ]
        var left: [String: [String: Int]] = [:]
        for lineage in lineages {
            for (place, paid) in lineage.enumerated() {
                guard let exit = paid.exit, paid.end >= midnight, paid.end < next else { continue }
                let beginning = lineage[...place].last { $0.entry != "change" }?.period.start ?? paid.period.start
                left[paid.period.product, default: [:]][beginning < midnight ? exit : "came and went", default: 0] += 1
            }
        }
        let opening = counts(before: midnight)
        for product in Set(opening.keys).union(left.keys) {
            let numbers = [opening[product] ?? 0] + reasons.map { left[product]?[$0] ?? 0 }
            guard numbers.contains(where: { $0 > 0 }) else { continue }
            lines.churn.append(([date, product] + numbers.map(String.init)).joined(separator: " "))
        }
    }

    /// Who is paying up to an instant: what begins or ends at midnight belongs to the day that begins.
    private func inForce(before instant: Date) -> [Paid] {
        lineages.flatMap { $0.filter { $0.period.start < instant && $0.end >= instant } }
    }

    private func values(before instant: Date) -> [Line: Fraction] {
        var sums: [Line: Fraction] = [:]
        for paid in inForce(before: instant) {
            guard let value = paid.value(by: catalogue), let currency = paid.period.currency else { continue }
            sums[Line(product: paid.period.product, currency: currency), default: .zero] =
                value + (sums[Line(product: paid.period.product, currency: currency)] ?? .zero)
        }
        return sums
    }

    private func counts(before instant: Date) -> [String: Int] {
        Dictionary(inForce(before: instant).map { ($0.period.product, 1) }, uniquingKeysWith: +)
    }

    private func moves(_ from: Date, _ to: Date) -> [Line: [String: Fraction]] {
        var sums: [Line: [String: Fraction]] = [:]
        func book(_ amount: Fraction?, _ bucket: String, _ period: Period) {
            guard let amount, let currency = period.currency else { return }
            let line = Line(product: period.product, currency: currency)
            sums[line, default: [:]][bucket] = (sums[line]?[bucket] ?? .zero) + amount
        }
        for lineage in lineages {
            for (place, paid) in lineage.enumerated() {
                if paid.period.start >= from, paid.period.start < to {
                    if paid.entry == "change" {
                        change(from: lineage[place - 1], to: paid, book)
                    } else {
                        book(paid.value(by: catalogue), paid.entry, paid.period)
                    }
                }
                if let exit = paid.exit, paid.end >= from, paid.end < to {
                    book(paid.value(by: catalogue).map { -$0 }, exit, paid.period)
                }
            }
        }
        return sums
    }

    private func change(from old: Paid, to new: Paid, _ book: (Fraction?, String, Period) -> Void) {
        let values = (old.value(by: catalogue), new.value(by: catalogue))
        guard let before = values.0, let after = values.1, old.period.currency == new.period.currency else {
            book(values.0.map { -$0 }, "moved_out", old.period)
            book(values.1, "moved_in", new.period)
            return
        }
        if old.period.product != new.period.product {
            book(-before, "moved_out", old.period)
            book(before, "moved_in", new.period)
        }
        let difference = after - before
        book(difference, difference.isNegative ? "contraction" : "expansion", new.period)
    }
}
