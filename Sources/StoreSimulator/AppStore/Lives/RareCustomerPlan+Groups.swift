// SPDX-License-Identifier: Apache-2.0

/// Groups: one pays for the seats of all, adds some, gives some back; the members renew when the purchaser does.
extension RareCustomerPlan {
    /// The purchaser first.
    mutating func group(invitedBy invitations: Seats.Invitations, members: Int) -> [CustomerLife] {
        let (start, market) = (start(), market())
        let seat = market.appStorePrice(of: .monthly)
        // The cheapest first: nobody may count on their order.
        let tiers = [Seats.Tier(seat * 4 / 5 / 10 * 10, times: 7), Seats.Tier(seat, times: 10)]
        let purchaser = write(.monthly, in: market) { [number] writer in
            writer.begin(.fullPrice, at: start)
            writer.take(Seats(tiers, invitations: invitations))
            writer.addSeats(
                [Seats.Tier(seat * 2 / 5 / 10 * 10, times: 3)], sharingLineItem: number.isMultiple(of: 2))
            if number % 3 == 2 { writer.refundSeats([2, 1]) }
            writer.renew()
            writer.take(Seats([tiers[0], Seats.Tier(seat, times: 13)], invitations: invitations))
            if number % 3 != 2 { writer.refundSeats([8]) }
            writer.renewSeats(Seats(tiers, invitations: invitations), isCancelled: number % 2 == 1)
        }
        let others = (0..<members).map { member in
            customer(market, [self.member(of: purchaser, joiningAfter: Int64(member + 1))], member: member + 1)
        }
        return [customer(market, [purchaser])] + others
    }

    /// The purchaser adds seats and has them refunded some days later, some purchasers for a part of the price, while the first ones
    /// run on, renews, and adds some again:
    /// then the first are refunded while those run on, and every other purchaser has the rest refunded, too.
    mutating func lessenedGroup() -> CustomerLife {
        let (start, market) = (start(), market())
        let seat = market.appStorePrice(of: .monthly)
        let (few, many) = ([Seats.Tier(seat, times: 2)], [Seats.Tier(seat, times: 6)])
        let life = write(.monthly, in: market) { [number] writer in
            writer.begin(.fullPrice, at: start)
            writer.take(Seats(many, invitations: .developer))
            writer.addSeats(few, sharingLineItem: number.isMultiple(of: 2))
            writer.refundWhole(before: 0, from: 450, to: 600, number % 3 == 0 ? .prorated(percentage: 40_000) : .full)
            writer.renew()
            writer.take(Seats(many, invitations: .developer))
            writer.addSeats(few, sharingLineItem: number.isMultiple(of: 2))
            writer.refundWhole(before: 1, from: 450, to: 500)
            guard number.isMultiple(of: 2) else {
                return writer.renewSeats(Seats(few, invitations: .developer), isCancelled: true)
            }
            writer.refund(.full, reason: 0, at: writer.instant(in: writer.current, from: 550, to: 650))
        }
        return customer(market, [life])
    }

    /// A seat of the group: a transaction of their own for each of the purchaser's periods, the first from the day they
    /// join, and nothing of what was added or given back.
    private mutating func member(of purchaser: SubscriptionLife, joiningAfter days: Int64) -> SubscriptionLife {
        var life = purchaser
        life.ownership = .assigned
        life.periods = purchaser.periods.filter { $0.seats?.isAddition == false }
        life.periods.indices.forEach { index in
            life.periods[index].transactionID = identifiers.transaction()
            life.periods[index].lineItemID = identifiers.lineItem()
            life.periods[index].seats?.joinedAt = nil
            life.periods[index].seats?.givenBack = []
        }
        let joinedAt = purchaser.periods[0].purchasedAt + days * CivilTime.day
        (life.periods[0].createdAt, life.periods[0].purchasedAt) = (joinedAt, joinedAt)
        life.periods[0].ending = .goesOn
        life.originalTransactionID = life.periods[0].transactionID
        return life
    }
}

extension LifeWriter {
    /// The newest period is for seats, and its price that of all of them.
    fileprivate mutating func take(_ seats: Seats) {
        amend { period in
            period.seats = seats
            period.priceMilliunits = seats.totalMilliunits
        }
    }

    /// More seats in mid-period: a transaction beside the first, for the rest of it.
    fileprivate mutating func addSeats(_ tiers: [Seats.Tier], sharingLineItem: Bool) {
        let first = current
        guard let seats = first.seats else { return }
        let at = instant(in: first, from: 250, to: 400)
        amend { $0.seats?.joinedAt = at }
        add(Entry(.purchase, at: at, until: first.expiresAt))
        var added = Seats(tiers, invitations: seats.invitations)
        added.isAddition = true
        take(added)
        if sharingLineItem { amend { $0.lineItemID = first.lineItemID } }
    }

    /// So many seats of the newest transactions are given back at once, the newest's first.
    fileprivate mutating func refundSeats(_ counts: [Int64]) {
        let at = instant(in: current, from: 300, to: 600)
        for (place, count) in counts.enumerated() {
            amend(before: place) { $0.seats?.givenBack = [.init(at: at, count)] }
        }
    }

    /// All seats of the newest transaction, or of the one that is so many before it, are given back.
    fileprivate mutating func refundWhole(before place: Int, from: Int64, to: Int64, _ extent: Refund.Extent = .full) {
        let at = instant(in: current, from: from, to: to)
        amend(before: place) { $0.refund = Refund(at: at, extent: extent) }
    }

    /// Renewals for these seats, to the horizon or until the purchaser cancels the third of them.
    fileprivate mutating func renewSeats(_ seats: Seats, isCancelled: Bool) {
        var count = 0
        while !reachesHorizon {
            renew()
            take(seats)
            count += 1
            guard isCancelled, count == 3 else { continue }
            return expire(.voluntary, at: instant(in: current, from: 300, to: 700))
        }
    }
}
