// SPDX-License-Identifier: Apache-2.0

import Foundation

extension PlainBooks {
    struct Line: Hashable {
        let product: String
        let currency: String
    }

    /// Every day of the span asks every lineage. Lines as `date product currency opening bucket=amount… closing`, those of
    /// days on which nothing was or moved left out; and `date product active`.
    func days(from first: Date, through last: Date, zone: TimeZone) -> (bridge: [String], active: [String]) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
        var (bridge, active): ([String], [String]) = ([], [])
        var midnight = calendar.startOfDay(for: first)
        while midnight <= last, let next = calendar.date(byAdding: .day, value: 1, to: midnight) {
            let date = style.format(midnight)
            let (opening, closing, moved) = (values(before: midnight), values(before: next), moves(midnight, next))
            for line in Set(opening.keys).union(closing.keys).union(moved.keys) {
                let amounts = (moved[line] ?? [:]).filter { $0.value != .zero }.sorted { $0.key < $1.key }
                let sides = (opening[line] ?? .zero, closing[line] ?? .zero)
                guard !amounts.isEmpty || sides.0 != .zero || sides.1 != .zero else { continue }
                let texts = amounts.map { "\($0.key)=\($0.value.text)" }
                bridge.append(
                    ([date, line.product, line.currency, sides.0.text] + texts + [sides.1.text]).joined(separator: " "))
            }
            for (product, count) in counts(before: next) { active.append("\(date) \(product) \(count)") }
            midnight = next
        }
        return (bridge.sorted(), active.sorted())
    }

    /// Who is paying up to an instant: what begins or ends at midnight belongs to the day that begins.
    private func inForce(before instant: Date) -> [Paid] {
        lineages.flatMap { $0.filter { $0.period.start < instant && $0.end >= instant } }
    }

    private func values(before instant: Date) -> [Line: Fraction] {
        var sums: [Line: Fraction] = [:]
        for paid in inForce(before: instant) {
            guard let value = paid.value, let currency = paid.period.currency else { continue }
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
                        book(paid.value, paid.entry, paid.period)
                    }
                }
                if let exit = paid.exit, paid.end >= from, paid.end < to {
                    book(paid.value.map { -$0 }, exit, paid.period)
                }
            }
        }
        return sums
    }

    private func change(from old: Paid, to new: Paid, _ book: (Fraction?, String, Period) -> Void) {
        guard let before = old.value, let after = new.value, old.period.currency == new.period.currency else {
            book(old.value.map { -$0 }, "moved_out", old.period)
            book(new.value, "moved_in", new.period)
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
