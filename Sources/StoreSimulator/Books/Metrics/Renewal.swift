// SPDX-License-Identifier: Apache-2.0

/// A paid period that ran to its own end, and what followed it.
struct Renewal {
    var period: PaidPeriod
    /// Nil: nothing followed without a lapse.
    private var follower: PaidPeriod?

    init(_ period: PaidPeriod, followedBy follower: PaidPeriod?) {
        self.period = period
        self.follower = follower
    }

    /// Another plan in its place is no renewal, and no failure of one.
    var isDue: Bool { follower.map { $0.plan == period.plan } ?? true }
    var isRenewed: Bool { follower != nil && isDue }
}

extension PaidPeriod {
    /// What changes with a change of plan: the product, or its base plan.
    fileprivate var plan: [String?] { [productID, basePlanID] }
}

extension Lineage {
    /// Every period whose own end came before that instant. Seats added to one are due with it.
    func renewals(before end: Int64) -> [Renewal] {
        segments.flatMap { segment in
            let pieces = segment.pieces.filter { !$0.isAddition }
            return zip(pieces, pieces.dropFirst().map(Optional.some) + [nil]).map(Renewal.init(_:followedBy:))
        }.filter {
            $0.period.declaredEnd < end && !($0.period.isRefunded && $0.period.declaredEnd < $0.period.statedEnd)
        }
    }

    func hasChurned(from begin: Int64, to end: Int64) -> Bool {
        segments.contains { segment in
            guard case .churned = segment.outcome else { return false }
            return segment.end >= begin && segment.end < end
        }
    }
}
