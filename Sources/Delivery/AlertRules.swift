// SPDX-License-Identifier: Apache-2.0

package import Model
package import Rendering

/// Which of an issue's figures are beyond their thresholds.
///
/// Pure: what it knows is handed in, the present included.
///
/// A week is compared with the mean week of the eight before it, once four of them were observed.
package struct AlertRules: Sendable {
    static let week = 7
    static let usualDays = 56
    static let fewestUsualDays = 28
    static let month = 30
    static let quarter = 90
    /// So many refunds or ends make a pattern; fewer are chance.
    static let fewestRefunds: Int64 = 5
    static let fewestEnds: Int64 = 20

    let thresholds: AlertThresholds
    let summary: IssueSummary
    /// Words that the stores used since the issue before and that this version does not know.
    let unknownValues: Int64
    /// Business dates whose sealed night owes a report that is not there.
    let owedReports: [String]
    let now: Instant

    package init(
        _ thresholds: AlertThresholds, of summary: IssueSummary, unknownValues: Int64, owedReports: [String] = [],
        now: Instant
    ) {
        self.thresholds = thresholds
        self.summary = summary
        self.unknownValues = unknownValues
        self.owedReports = owedReports
        self.now = now
    }

    /// What concerns the data first, then the figures.
    package var alerts: [Alert] {
        (summary.reconciled ? [] : [.notReconciled]) + missingReports + stale + missingPrices + unknown + figures
    }

    private var figures: [Alert] { [mrr, netRevenue, refunds].compactMap(\.self) + churnReasons }

    private var missingReports: [Alert] { owedReports.isEmpty ? [] : [.missingReports(owedReports)] }

    private var stale: [Alert] {
        guard let limit = thresholds.staleAfter else { return [] }
        return summary.apps.compactMap { app in
            let checked = app.lastCheckedAt.flatMap { Instant(iso8601: $0) }
            if let checked, now - checked <= limit { return nil }
            return .stale(app: app.name, lastCheckedAt: checked)
        }
    }

    private var missingPrices: [Alert] {
        guard let least = thresholds.missingPrices else { return [] }
        return summary.apps.filter { $0.missingPrices >= least }
            .map { .missingPrices(app: $0.name, count: $0.missingPrices) }
    }

    private var unknown: [Alert] {
        guard let least = thresholds.unknownValues, unknownValues >= least else { return [] }
        return [.unknownValues(unknownValues)]
    }

    private var mrr: Alert? {
        guard let percent = thresholds.mrrBelow, let now = summary.days.last?.mrrMicros,
            let before = summary.days.dropLast(Self.month).last?.mrrMicros, before > 0,
            Self.isLess(now, than: percent, of: before)
        else { return nil }
        return .mrr(now: now, before: before)
    }

    private var netRevenue: Alert? {
        guard let percent = thresholds.netRevenueBelow, let (week, usual) = weeks(\.netMicros), usual > 0,
            Self.isLess(week, than: percent, of: usual)
        else { return nil }
        return .netRevenue(ofWeek: week, usual: usual)
    }

    private var refunds: Alert? {
        guard let percent = thresholds.refundsAbove, let (week, usual) = weeks(\.refundedMicros),
            summary.days.suffix(Self.week).map(\.refunds).reduce(0, +) >= Self.fewestRefunds,
            Self.isMore(week, than: percent, of: max(usual, 0))
        else { return nil }
        return .refunds(ofWeek: week, usual: usual)
    }

    private var churnReasons: [Alert] {
        guard let points = thresholds.churnShift else { return [] }
        let days = summary.days.suffix(Self.month + Self.quarter)
        let (now, before) = (Self.reasons(days.suffix(Self.month)), Self.reasons(days.dropLast(Self.month)))
        let (all, allBefore) = (now.values.reduce(0, +), before.values.reduce(0, +))
        guard all >= Self.fewestEnds, allBefore >= Self.fewestEnds else { return [] }
        return Set(now.keys).union(before.keys).sorted().compactMap { reason in
            let share = Alert.Share(part: now[reason] ?? 0, whole: all)
            let earlier = Alert.Share(part: before[reason] ?? 0, whole: allBefore)
            return Self.distance(share, earlier, isMoreThan: points)
                ? .churnReason(reason, now: share, before: earlier) : nil
        }
    }

    /// The last week's sum and the usual one; nil before enough was observed, or where nothing is known.
    private func weeks(_ amount: (IssueSummary.Day) -> Int64?) -> (week: Int64, usual: Int64)? {
        let week = summary.days.suffix(Self.week).compactMap(amount)
        let earlier = summary.days.dropLast(Self.week).suffix(Self.usualDays)
        let known = earlier.compactMap(amount)
        guard earlier.count >= Self.fewestUsualDays, !week.isEmpty, !known.isEmpty else { return nil }
        let usual = Int128(known.reduce(0, +)) * Int128(Self.week) / Int128(earlier.count)
        return (week.reduce(0, +), Int64(clamping: usual))
    }

    private static func reasons(_ days: ArraySlice<IssueSummary.Day>) -> [String: Int64] {
        days.reduce(into: [:]) { $0.merge($1.churned, uniquingKeysWith: +) }
    }

    private static func isLess(_ amount: Int64, than percent: Int, of whole: Int64) -> Bool {
        Int128(amount) * 100 < Int128(whole) * Int128(percent)
    }

    private static func isMore(_ amount: Int64, than percent: Int, of whole: Int64) -> Bool {
        Int128(amount) * 100 > Int128(whole) * Int128(percent)
    }

    private static func distance(_ left: Alert.Share, _ right: Alert.Share, isMoreThan points: Int) -> Bool {
        let difference = Int128(left.part) * Int128(right.whole) - Int128(right.part) * Int128(left.whole)
        return difference.magnitude * 100 > Int128(left.whole).magnitude * Int128(right.whole).magnitude
            * Int128(points).magnitude
    }
}
