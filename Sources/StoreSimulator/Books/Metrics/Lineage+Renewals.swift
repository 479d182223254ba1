// SPDX-License-Identifier: Apache-2.0

/// A paid period that ran to its own end, and what followed it.
struct Renewal {
    var period: PaidPeriod
    /// Nil: nothing followed without a lapse.
    fileprivate var follower: PaidPeriod?

    /// Another plan in its place is no renewal, and no failure of one.
    var figures: KeyValuePairs<String, Int128?> {
        guard let follower else { return ["due": 1] }
        let isOfSamePlan = [follower.productID, follower.basePlanID] == [period.productID, period.basePlanID]
        return isOfSamePlan ? ["due": 1, "renewed": 1] : ["plan_changes": 1]
    }
}

/// Which payment it is, of whom. A lapse that was made good, a pause and time for nothing end no stay; churn does.
struct Tenure: Hashable, Sendable {
    enum Customer: String, Hashable, Sendable {
        case new, returning
        /// Older than the first period that is known.
        case imported
    }

    var customer: Customer
    /// 1 for the first payment of a stay.
    var payment: Int
}

extension Lineage {
    /// Every period whose own end came before that instant. Seats added to one are due with it.
    func renewals(before end: Int64) -> [Renewal] {
        segments.flatMap { segment in
            let pieces = segment.pieces.filter { !$0.isAddition }
            return zip(pieces, pieces.dropFirst().map(Optional.some) + [nil]).map(Renewal.init)
        }.filter {
            $0.period.declaredEnd < end && !($0.period.isRefunded && $0.period.declaredEnd < $0.period.statedEnd)
        }
    }

    /// When what is paid with that period ends: the period itself, or its whole stretch where it is the last one.
    func end(of period: PaidPeriod) -> Int64 {
        let stretch = segments.first { $0.pieces.last?.start == period.start }
        return stretch?.end ?? period.declaredEnd
    }

    func hasChurned(from begin: Int64, to end: Int64) -> Bool {
        segments.contains { $0.hasChurned && $0.end >= begin && $0.end < end }
    }

    /// The same with each paid period's number; seats that were added have that of the period they were added to.
    func numbered() -> Lineage {
        var line = self
        var (customer, payment): (Tenure.Customer, Int) = (isImported ? .imported : .new, 0)
        for segment in line.segments.indices {
            if segment > 0, line.segments[segment - 1].hasChurned { (customer, payment) = (.returning, 0) }
            for piece in line.segments[segment].pieces.indices {
                payment += line.segments[segment].pieces[piece].isAddition ? 0 : 1
                line.segments[segment].pieces[piece].tenure = Tenure(customer: customer, payment: payment)
            }
        }
        return line
    }
}

extension Lineage.Segment {
    var hasChurned: Bool { if case .churned = outcome { true } else { false } }
}

extension PaidPeriod {
    /// What a whole period of its plan costs, with what runs beside it.
    var renewalMicros: Int128 {
        Int128(([self] + beside).compactMap { ($0.recurring ?? $0.charge)?.micros }.reduce(0, +))
    }
}
