// SPDX-License-Identifier: Apache-2.0

/// Purchases of one day (UTC) and app that the figures leave out.
package struct ExclusionRow: Hashable, Sendable {
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case sandbox, trial, promotional
        case familyShared = "family_shared"
        /// A seat that a group or an organization pays.
        case assigned
        case zeroPrice = "zero_price"
        case missingPrice = "missing_price"
        /// Covers no time.
        case invalidPeriod = "invalid_period"
        /// Gave way to an upgrade, whose credit the App Store does not report.
        case unknownCredit = "unknown_credit"
        /// Does not renew: in no subscriber figure.
        case prepaid
    }

    /// `yyyy-mm-dd`.
    package var date: String
    package var appID: String
    package var reason: Reason
    package var rows: Int
}

extension MetricBooks {
    /// What is left out, by the day of the purchase, through that date.
    package func exclusions(through date: String) -> [ExclusionRow] {
        var counts: [ExclusionRow: Int] = [:]
        for booked in books.transactions(column) {
            let isPlay = books.play?.apps.contains { $0.id == booked.appID && $0.api == .play } ?? false
            let day = CivilTime.date(ofDay: CivilTime.dayNumber(of: booked.purchasedAt))
            guard day <= date else { continue }
            for reason in booked.reasonsToLeaveOut(isPlay: isPlay) {
                counts[ExclusionRow(date: day, appID: booked.appID, reason: reason, rows: 0), default: 0] += 1
            }
        }
        return counts.map { ExclusionRow(date: $0.date, appID: $0.appID, reason: $0.reason, rows: $1) }
    }
}

extension BookedTransaction {
    fileprivate func reasonsToLeaveOut(isPlay: Bool) -> [ExclusionRow.Reason] {
        guard environment == .production else { return [.sandbox] }
        switch ownership {
        case .purchased: break
        case .familyShared: return [.familyShared]
        case .assigned: return [.assigned]
        }
        var reasons: [ExclusionRow.Reason] = []
        if kind == .trial {
            reasons.append(offerType == .promotional || offerType == .winBack ? .promotional : .trial)
        } else if priceMicros == 0 {
            reasons.append(.zeroPrice)
        } else if priceMicros == nil {
            reasons.append(.missingPrice)
        }
        if kind != .oneTime, periodEnd <= periodStart { reasons.append(.invalidPeriod) }
        if kind == .topUp { reasons.append(.prepaid) }
        if !isPlay, isUpgraded, (priceMicros ?? 0) > 0 { reasons.append(.unknownCredit) }
        return reasons
    }
}
