// SPDX-License-Identifier: Apache-2.0

/// Where one lineage stands at the end of a day.
struct LineageStatus: Sendable {
    var status: SubscriberStatus
    var productID: String
    /// The period that speaks for it; nil where it never paid.
    var period: LinedPeriod?
}

/// Days at whose end one lineage stands somewhere.
struct StatusStretch: Sendable {
    var status: SubscriberStatus
    var productID: String
    var seats: Int
    var days: Range<Int64>

    /// From the day of its start up to that of its end.
    init(_ status: SubscriberStatus, _ productID: String, seats: Int = 0, from start: Int64, to end: Int64) {
        (self.status, self.productID, self.seats) = (status, productID, seats)
        let first = CivilTime.dayNumber(of: start)
        days = first..<max(first, CivilTime.dayNumber(of: end))
    }
}

extension Lineage {
    /// What follows from the periods alone, as stretches of days; who was never said to have ended goes on.
    func stretches(through last: Int64) -> [StatusStretch] {
        let paid = segments.flatMap { segment -> [StatusStretch] in
            let goesOn = segment.outcome == .open
            let end = goesOn ? (last + 1) * CivilTime.day : segment.end
            var stretches = zip(segment.pieces, segment.pieces.dropFirst().map(\.start) + [end]).map { piece, end in
                StatusStretch(.active, piece.productID, seats: piece.seats, from: piece.start, to: end)
            }
            if goesOn {
                stretches.append(StatusStretch(.unread, segment.last.productID, from: segment.end, to: end))
            }
            return stretches
        }
        return paid
            + trialPeriods.map { trial in
                StatusStretch(.trial, trial.productID, from: trial.start, to: trial.freeUntil)
            }
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
        let trial = trialPeriods.last { $0.start < end && end <= $0.freeUntil }
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
    private func current(at end: Int64) -> (Segment, LinedPeriod)? {
        let running = segments.last { segment in
            segment.start < end && (segment.outcome == .open || end <= segment.end)
        }
        return running.flatMap { segment in segment.pieces.last { $0.start < end }.map { (segment, $0) } }
    }

    /// Who has paid, or had a trial, and pays nothing now.
    private func waiting(at end: Int64, _ subscriptions: [String: BookedSubscription]) -> [LineageStatus] {
        let paid = segments.last { $0.end < end }?.last
        guard let last = paid ?? free.last(where: { $0.freeUntil < end }) else { return [] }
        let status: SubscriberStatus? =
            switch subscriptions[last.subscriptionID]?.state {
            case .billingRetry: .billingRetry
            case .paused: .paused
            default: nil
            }
        return status.map { [LineageStatus(status: $0, productID: last.productID, period: paid)] } ?? []
    }

    /// The first instants of the months that it paid in or after, each with that of the next.
    func months(before end: Int64) -> [(begin: Int64, next: Int64)] {
        guard let first = firstPaid?.start else { return [] }
        var months: [(Int64, Int64)] = []
        var begin = CivilTime.startOfMonth(of: first)
        while begin < end {
            let next = CivilTime.adding(months: 1, to: begin)
            months.append((begin, next))
            begin = next
        }
        return months
    }

    /// The paid period that covers the instant before that one.
    func paid(at end: Int64) -> LinedPeriod? {
        datedStatuses(at: end).first { $0.status == .active }?.period
    }
}

extension CivilTime {
    /// The first instant of the calendar month (UTC).
    static func startOfMonth(of instant: Int64) -> Int64 {
        let fields = fields(of: instant)
        return Self.instant(year: fields.year, month: fields.month, day: 1)
    }
}
