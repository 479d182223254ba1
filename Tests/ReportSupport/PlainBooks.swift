// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import TestSupport

/// The subscriber figures once more, straightforward and slow, written from METRICS.md and RULINGS.md: every day asks
/// every lineage.
///
/// It reads rows of transactions and state changes, and shares nothing with the reports' SQL.
struct PlainBooks {
    struct Period {
        let key: Int64
        let id: String
        let store: String
        let product: String
        let kind: String
        let isPaid: Bool
        let isOffer: Bool
        let purchasedAt: Date
        let start: Date
        let statedEnd: Date
        let price: Int64?
        let currency: String?
        let refundedAt: Date?
        let isRevocation: Bool
        let isSuperseded: Bool
    }

    struct Word {
        let key: Int64
        let recorded: Date
        let state: String
        let reason: String?
        let expires: Date?
        let grace: Date?
    }

    /// A paid period as it counted: [start, end), open-ended while the store has not declared an end.
    struct Paid {
        let period: Period
        var end: Date
        var entry = "change"
        /// Why the lineage stopped paying after it; nil where the next piece follows.
        var exit: String?

        /// Monthly value in micros: price × 1/m, or × 487/(16 d).
        ///
        /// The catalogue's length counts, but not for an offer that lasts longer or shorter than its product.
        func value(by catalogue: [Length]) -> Fraction? {
            guard let price = period.price else { return nil }
            let listed = catalogue.last {
                $0.product == period.product && $0.from <= Self.dayNumber(period.purchasedAt)
            }
            if let listed, !period.isOffer || listed.fits(period.start, period.statedEnd, Self.calendar) {
                if listed.months > 0 { return Fraction(price, Int64(listed.months)) }
                return Fraction(price * 487, 16 * Int64(listed.days))
            }
            let days = period.statedEnd.timeIntervalSince(period.start) / 86_400
            if days >= 28, days <= 31 { return Fraction(price, 1) }
            for months in 1...24 {
                let match = Self.calendar.date(byAdding: .month, value: months, to: period.start) ?? period.start
                if abs(match.timeIntervalSince(period.statedEnd)) <= 26 * 3_600 {
                    return Fraction(price, Int64(months))
                }
            }
            return Fraction(price * 487, 16 * max(1, Int64(days.rounded())))
        }

        /// Days since 1970, in UTC.
        private static func dayNumber(_ instant: Date) -> Int {
            Int((instant.timeIntervalSince1970 / 86_400).rounded(.down))
        }

        private static let calendar: Calendar = {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            return calendar
        }()
    }

    /// How long a product's period is, by the catalogue, for purchases from that day (since 1970) on.
    struct Length {
        let product: String
        let from: Int
        let months: Int
        let days: Int

        func fits(_ start: Date, _ end: Date, _ calendar: Calendar) -> Bool {
            let own = calendar.date(byAdding: DateComponents(month: months, day: days), to: start) ?? start
            return abs(own.timeIntervalSince(end)) <= 26 * 3_600
        }
    }

    /// The paid periods of each lineage, in order.
    let lineages: [[Paid]]
    /// Oldest first.
    let catalogue: [Length]

    init(lineages: [[Paid]], catalogue: [Length]) {
        self.lineages = lineages
        self.catalogue = catalogue
    }

    init(periods: [Int64: [Period]], words: [Word], catalogue: [Length]) {
        self.catalogue = catalogue
        lineages = periods.keys.sorted().map { lineage in
            Self.paid(
                (periods[lineage] ?? []).sorted { ($0.start, $0.id) < ($1.start, $1.id) },
                words: words.filter { word in (periods[lineage] ?? []).contains { $0.key == word.key } })
        }
    }
}

extension PlainBooks {
    /// Until when a period was paid (the expiry), and until when it counted (the store's grace included).
    private struct Ends {
        var declared: Date
        var covered: Date
    }

    /// The App Store states a period once, and a refund ends it.
    ///
    /// Google moves the expiry of the whole purchase: the last one told while the order was the newest of its token
    /// counts, and a refund moves money only. A successor ends both.
    private static func ends(_ place: Int, of periods: [Period], _ words: [Word]) -> Ends {
        let period = periods[place]
        var ends = Ends(declared: period.statedEnd, covered: period.statedEnd)
        let isPlay = period.store == "google_play"
        if isPlay, let stated = lastWord(on: period, of: periods, words), let expires = stated.expires {
            ends = Ends(declared: expires, covered: max(expires, stated.grace ?? expires))
        } else {
            let graces = words.filter { $0.key == period.key && $0.expires == period.statedEnd }.compactMap(\.grace)
            ends.covered = max(period.statedEnd, graces.max() ?? period.statedEnd)
        }
        var cuts: [Date] = []
        if !isPlay, let refund = period.refundedAt { cuts.append(refund) }
        if period.isSuperseded, place + 1 < periods.count { cuts.append(periods[place + 1].start) }
        for cut in cuts { ends = Ends(declared: min(ends.declared, cut), covered: min(ends.covered, cut)) }
        return ends
    }

    private static func lastWord(on period: Period, of periods: [Period], _ words: [Word]) -> Word? {
        let later = periods.filter {
            $0.key == period.key && ($0.purchasedAt, $0.id) > (period.purchasedAt, period.id)
        }
        let until = later.map(\.purchasedAt).min() ?? .distantFuture
        return words.last {
            $0.key == period.key && $0.expires != nil && $0.recorded >= period.purchasedAt && $0.recorded < until
        }
    }

    private static func paid(_ all: [Period], words: [Word]) -> [Paid] {
        let bothEnds = all.indices.map { Self.ends($0, of: all, words) }
        let ends = bothEnds.map(\.covered)
        let valid = all.indices.filter { ends[$0] > all[$0].start }
        var pieces: [Paid] = []
        var reach: Date?
        var isFirst = true
        for (number, place) in valid.enumerated() where all[place].isPaid {
            var piece = Paid(period: all[place], end: ends[place])
            let continues = reach.map { all[place].start <= $0.addingTimeInterval(86_400) } ?? false
            if isFirst {
                piece.entry = all[place].kind == "purchase" ? "new" : "imported"
            } else if !continues {
                switch pieces.last?.exit {
                case "lapsed", "paused": piece.entry = "recovery"
                case "moved_out": piece.entry = "moved_in"
                default: piece.entry = "reactivation"
                }
            }
            isFirst = false
            if continues, var before = pieces.popLast() {
                before.end = piece.period.start
                pieces.append(before)
            }
            reach = max(reach ?? ends[place], ends[place])
            let next = valid.dropFirst(number + 1).first.map { all[$0] }
            let nextPaid = valid.dropFirst(number + 1).first { all[$0].isPaid }.map { all[$0] }
            if let nextPaid, let reach, nextPaid.start <= reach.addingTimeInterval(86_400) {
                pieces.append(piece)
                continue
            }
            piece.end = reach ?? piece.end
            piece.exit = exit(of: all[place], declared: bothEnds[place].declared, reach: piece.end, next: next, words)
            if piece.exit == nil { piece.end = .distantFuture }
            pieces.append(piece)
        }
        return pieces
    }

    /// Nil while the store has not declared an end.
    private static func exit(
        of period: Period, declared: Date, reach: Date, next: Period?, _ words: [Word]
    ) -> String? {
        if period.store != "google_play", let refund = period.refundedAt, refund < period.statedEnd {
            return period.isRevocation ? "churn_other" : "churn_refund"
        }
        let observed = words.filter { $0.key == period.key }
        guard let next else {
            switch observed.last?.state {
            case "expired", "revoked": return churn(observed.last?.reason)
            case "billing_retry": return "lapsed"
            case "paused": return "paused"
            default: return nil
            }
        }
        let meanwhile = observed.filter { $0.recorded >= declared && $0.recorded < next.start }
        if let stated = meanwhile.last(where: { $0.state == "expired" || $0.state == "revoked" }) {
            return churn(stated.reason)
        }
        if !next.isPaid, next.start <= reach.addingTimeInterval(86_400) { return "moved_out" }
        if meanwhile.contains(where: { $0.state == "grace" || $0.state == "billing_retry" }) { return "lapsed" }
        if meanwhile.contains(where: { $0.state == "paused" }) { return "paused" }
        if next.kind == "renewal" { return "lapsed" }
        // Another purchase continues the lineage: the reason this one ended for counts, whenever it was recorded.
        if next.key != period.key, let last = observed.last, last.state == "expired" || last.state == "revoked" {
            return churn(last.reason)
        }
        return "churn_other"
    }

    private static func churn(_ reason: String?) -> String {
        switch reason {
        case "voluntary", "involuntary", "price", "product", "refund": "churn_\(reason ?? "")"
        case "replaced": "moved_out"
        default: "churn_other"
        }
    }
}

/// An exact number of micros.
struct Fraction: Equatable {
    let numerator: Int128
    let denominator: Int128

    init(_ numerator: Int64, _ denominator: Int64) { self.init(Int128(numerator), over: Int128(denominator)) }

    init(_ numerator: Int128, over denominator: Int128) {
        var (a, b) = (numerator.magnitude, denominator.magnitude)
        while b != 0 { (a, b) = (b, a % b) }
        let divisor = Int128(max(a, 1))
        (self.numerator, self.denominator) = (numerator / divisor, denominator / divisor)
    }

    static let zero = Fraction(0, 1)

    static func + (left: Self, right: Self) -> Self {
        Fraction(
            left.numerator * right.denominator + right.numerator * left.denominator,
            over: left.denominator * right.denominator)
    }
    static func - (left: Self, right: Self) -> Self { left + Fraction(-right.numerator, over: right.denominator) }
    static prefix func - (value: Self) -> Self { zero - value }

    var isNegative: Bool { numerator < 0 }

    /// Currency units with six decimals, half to even.
    var text: String {
        let magnitude = Int128(numerator.magnitude)
        var micros = magnitude / denominator
        let twice = 2 * (magnitude % denominator)
        if twice > denominator || (twice == denominator && micros % 2 == 1) { micros += 1 }
        let sign = isNegative && micros > 0 ? "-" : ""
        return "\(sign)\(micros / 1_000_000)." + String("\(1_000_000 + micros % 1_000_000)".dropFirst())
    }
}
