// SPDX-License-Identifier: Apache-2.0

extension MetricBooks {
    /// Purchases that the figures leave out, by the day (UTC) of the purchase, through that date.
    package func exclusions(through date: String) -> [MetricRow] {
        let end = CivilTime.end(ofDate: date)
        let trials = Set(
            lineages.flatMap(\.trialPeriods).map { [$0.image.booked.appID, $0.image.booked.transactionID] })
        var table = MetricTable(of: ["date", "app_id", "reason"], ["rows"])
        for booked in books.transactions(column) where booked.purchasedAt < end {
            let isPlay = books.play?.apps.contains { $0.id == booked.appID && $0.api == .play } ?? false
            let isTrial = trials.contains([booked.appID, booked.transactionID])
            for reason in booked.reasonsToLeaveOut(isPlay: isPlay, isTrial: isTrial) {
                table.add([CivilTime.date(of: booked.purchasedAt), booked.appID, reason.rawValue], ["rows": 1])
            }
        }
        return table.rows()
    }
}

/// Why the figures leave a purchase out; the words of the report.
package enum ExclusionReason: String, CaseIterable {
    case sandbox, trial, promotional
    case familyShared = "family_shared"
    /// A seat that a group or an organization pays.
    case assigned
    /// Included in a bundle, whose own row counts.
    case bundled
    case zeroPrice = "zero_price"
    case missingPrice = "missing_price"
    /// Covers no time.
    case invalidPeriod = "invalid_period"
    /// Gave way to an upgrade, whose credit the App Store does not report.
    case unknownCredit = "unknown_credit"
    /// Does not renew: in no subscriber figure.
    case prepaid
}

extension BookedTransaction {
    fileprivate func reasonsToLeaveOut(isPlay: Bool, isTrial: Bool) -> [ExclusionReason] {
        guard environment == .production else { return [.sandbox] }
        if bundleTransactionID != nil { return [.bundled] }
        switch ownership {
        case .purchased: break
        case .familyShared: return [.familyShared]
        case .assigned: return [.assigned]
        }
        var reasons: [ExclusionReason] = []
        if kind == .trial {
            reasons.append(isTrial ? .trial : .promotional)
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
