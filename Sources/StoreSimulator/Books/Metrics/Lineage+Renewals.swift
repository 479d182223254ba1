// SPDX-License-Identifier: Apache-2.0

extension Lineage {
    /// Every period whose own end came before that instant, and what became of it.
    ///
    /// Another plan in its place is no renewal, and no failure of one; seats added to one are due with it.
    func renewals(before end: Int64) -> [(period: LinedPeriod, figures: KeyValuePairs<String, Int128?>)] {
        segments.flatMap { segment in
            let pieces = segment.pieces.filter { !$0.isAddition }
            return zip(pieces, pieces.dropFirst().map(Optional.some) + [nil]).map { ($0, $0.renewal(by: $1)) }
        }.filter { period, _ in
            period.declaredEnd < end && !(period.isRefunded && period.declaredEnd < period.statedEnd)
        }
    }

    /// When what is paid with that period ends: the period itself, or its whole stretch where it is the last one.
    func end(of period: LinedPeriod) -> Int64 {
        let stretch = segments.first { $0.last.start == period.start }
        return stretch?.end ?? period.declaredEnd
    }

    func hasChurned(from begin: Int64, to end: Int64) -> Bool {
        segments.contains { $0.hasChurned && $0.end >= begin && $0.end < end }
    }

    /// The same with each paid period's number: which payment it is, of whom.
    ///
    /// A lapse that was made good, a pause and time for nothing end no stay; churn does. Who is older than the first
    /// period that is known was imported; seats that were added have the number of the period they were added to.
    func numbered() -> Lineage {
        var line = self
        var (customer, payment) = (isImported ? "imported" : "new", 0)
        for segment in line.segments.indices {
            if segment > 0, line.segments[segment - 1].hasChurned { (customer, payment) = ("returning", 0) }
            for piece in line.segments[segment].pieces.indices {
                payment += line.segments[segment].pieces[piece].isAddition ? 0 : 1
                line.segments[segment].pieces[piece].tenure = (customer, payment)
            }
        }
        return line
    }
}

extension LinedPeriod {
    /// What becomes of it where that followed without a lapse, or nothing did.
    fileprivate func renewal(by follower: LinedPeriod?) -> KeyValuePairs<String, Int128?> {
        guard let follower else { return ["due": 1] }
        let plans = [self, follower].map { [$0.productID, $0.image.booked.basePlanID] }
        return plans[0] == plans[1] ? ["due": 1, "renewed": 1] : ["plan_changes": 1]
    }

    /// What a whole period of its plan costs, with what runs beside it.
    var renewalMicros: Int128 {
        Int128(([self] + beside).compactMap { $0.worth(by: .catalogue)?.micros }.reduce(0, +))
    }
}
