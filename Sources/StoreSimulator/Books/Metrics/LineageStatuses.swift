// SPDX-License-Identifier: Apache-2.0

/// Where one lineage stands at the end of a day.
struct LineageStatus: Sendable {
    var status: SubscriberRow.Status
    var productID: String
    /// The period that speaks for it; nil where it never paid.
    var period: PaidPeriod?
}

/// Days at whose end one lineage stands somewhere.
struct StatusStretch: Sendable {
    var status: SubscriberRow.Status
    var productID: String
    var seats = 0
    var days: Range<Int64>
}

extension Lineage {
    /// What follows from the periods alone, as stretches of days; who was never said to have ended goes on.
    func stretches(through last: Int64) -> [StatusStretch] {
        let paid = segments.flatMap { segment -> [StatusStretch] in
            let goesOn = segment.outcome == .open
            let end = goesOn ? last + 1 : CivilTime.dayNumber(of: segment.end)
            let starts = segment.pieces.map { CivilTime.dayNumber(of: $0.start) }
            var stretches = zip(segment.pieces, zip(starts, starts.dropFirst() + [end])).map { piece, days in
                StatusStretch(
                    status: .active, productID: piece.productID, seats: piece.seats, days: days.0..<max(days.0, days.1))
            }
            if goesOn, let product = segment.pieces.last?.productID {
                let unread = CivilTime.dayNumber(of: segment.end)
                stretches.append(
                    StatusStretch(status: .unread, productID: product, days: unread..<max(unread, end)))
            }
            return stretches
        }
        let trials = free.filter { $0.isTrial && !$0.isOfferedToTheKnown }.map { trial in
            let (first, end) = (CivilTime.dayNumber(of: trial.start), CivilTime.dayNumber(of: trial.end))
            return StatusStretch(status: .trial, productID: trial.productID, days: first..<max(first, end))
        }
        return paid + trials
    }

    /// What follows from the periods alone, at the last instant of a day.
    func datedStatuses(at end: Int64) -> [LineageStatus] {
        var found: [LineageStatus] = []
        if let (segment, period) = current(at: end) {
            found.append(LineageStatus(status: .active, productID: period.productID, period: period))
            if segment.outcome == .open, segment.end < end {
                found.append(LineageStatus(status: .unread, productID: period.productID, period: period))
            }
        }
        let trial = free.last { $0.isTrial && !$0.isOfferedToTheKnown && $0.start < end && end <= $0.end }
        if let trial { found.append(LineageStatus(status: .trial, productID: trial.productID)) }
        return found
    }

    /// All of it, by what the store was last heard to say of each subscription.
    func statuses(at end: Int64, _ subscriptions: [String: BookedSubscription]) -> [LineageStatus] {
        var found = datedStatuses(at: end)
        guard let (segment, period) = current(at: end) else { return found + waiting(at: end, subscriptions) }
        let said = subscriptions[period.subscriptionID]
        let add = { LineageStatus(status: $0, productID: period.productID, period: period) }
        let isPastExpiry = CivilTime.dayNumber(of: period.declaredEnd) < CivilTime.dayNumber(of: end)
        if said?.state == .grace, isPastExpiry, segment.end >= end { found.append(add(.grace)) }
        if said?.autoRenew == false { found.append(add(.setToCancel)) }
        return found
    }

    /// The paid period that covers the last instant of a day; who was never said to have ended goes on.
    private func current(at end: Int64) -> (Segment, PaidPeriod)? {
        let running = segments.last { segment in
            segment.pieces[0].start < end && (segment.outcome == .open || end <= segment.end)
        }
        return running.flatMap { segment in segment.pieces.last { $0.start < end }.map { (segment, $0) } }
    }

    /// Who has paid, or had a trial, and pays nothing now.
    private func waiting(at end: Int64, _ subscriptions: [String: BookedSubscription]) -> [LineageStatus] {
        let paid = segments.last { $0.end < end }.flatMap(\.pieces.last)
        let trial = free.last { $0.end < end }
        guard let subscription = paid?.subscriptionID ?? trial?.subscriptionID,
            let productID = paid?.productID ?? trial?.productID
        else { return [] }
        let status: SubscriberRow.Status? =
            switch subscriptions[subscription]?.state {
            case .billingRetry: .billingRetry
            case .paused: .paused
            default: nil
            }
        return status.map { [LineageStatus(status: $0, productID: productID, period: paid)] } ?? []
    }
}
