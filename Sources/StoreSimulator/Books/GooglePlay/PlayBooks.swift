// SPDX-License-Identifier: Apache-2.0

/// Google Play's own books, in two columns: what happened, and what its answers have disclosed.
struct PlayBooks: Sendable {
    let customers: [PlayCustomer]
    let apps: [SimulatedApp]
    let now: Int64
    let disclosed: Disclosures

    /// A purchase of which rows were shown, but never where it stands, is unverified; what is sold once is none of them.
    func subscriptions(_ column: BookColumn) -> [BookedSubscription] {
        everyToken.filter { !$0.1.isOneTime }.compactMap { customer, token, app in
            switch column {
            case .happened:
                guard isReachable(token, of: customer, in: app) else { return nil }
                if isLost(token) { return BookedSubscription(unreachable: token, in: app) }
                return token.status(at: now, in: app)?.subscription.renewing(in: customer.market)
            case .disclosed:
                if isLost(token), disclosed.forgotten.contains(token.token) {
                    return BookedSubscription(unreachable: token, in: app)
                }
                if let status = disclosedStatuses(of: token, in: app).last {
                    return status.subscription.renewing(in: customer.market)
                }
                let isSeen = token.orders.contains { disclosed.orders[$0.id] != nil }
                return isSeen ? BookedSubscription(unverified: token.token, appID: app.id) : nil
            }
        }
    }

    /// Every state of a purchase that was disclosed, the oldest first.
    func history(of token: String) -> [BookedSubscription] {
        everyToken.filter { $0.1.token == token }.flatMap { _, token, app in
            disclosedStatuses(of: token, in: app).map(\.subscription)
        }
    }

    private var everyCustomer: [(PlayCustomer, SimulatedApp)] {
        customers.compactMap { customer in apps.first { $0.id == customer.appID }.map { (customer, $0) } }
    }

    var everyToken: [(PlayCustomer, PlayToken, SimulatedApp)] {
        everyCustomer.flatMap { customer, app in customer.tokens.map { (customer, $0, app) } }
    }

    func isReachable(_ token: PlayToken, of customer: PlayCustomer, in app: SimulatedApp) -> Bool {
        customer.isReachable(token, at: now, isPublished: app.play?.publishes ?? false)
    }

    /// The store forgot it before any answer disclosed it.
    func isLost(_ token: PlayToken) -> Bool { token.isForgotten(at: now) && disclosed.answers[token.token] == nil }

    func disclosedStatuses(of token: PlayToken, in app: SimulatedApp) -> [DisclosedStatus] {
        (disclosed.answers[token.token] ?? []).compactMap { token.status(at: $0, in: app) }
    }

    func images(_ column: BookColumn) -> [PeriodImage] {
        everyToken.flatMap { images(of: $1, by: $0, in: $2, column) }
    }

    private func images(
        of token: PlayToken, by customer: PlayCustomer, in app: SimulatedApp, _ column: BookColumn
    ) -> [PeriodImage] {
        if column == .happened, !isReachable(token, of: customer, in: app) { return [] }
        let status =
            column == .happened && !isLost(token)
            ? token.status(at: now, in: app) : disclosedStatuses(of: token, in: app).last
        let next = token.carriedOnBy.flatMap { isKnown($0, of: customer, in: app, column) ? $0 : nil }
        return token.orders.filter { !$0.isOutOfSight(at: now) }.flatMap { order -> [PeriodImage] in
            guard let shown = shown(order, of: token, in: app, column) else { return [] }
            let sight = OrderSight(
                first: shown.first, last: shown.last, status: status, speaker: next ?? token.token)
            return customer.images(of: order, token, in: app, sight)
        }
    }

    /// The status of that purchase was disclosed, or could be.
    private func isKnown(_ id: String, of customer: PlayCustomer, in app: SimulatedApp, _ column: BookColumn) -> Bool {
        if column == .disclosed { return disclosed.answers[id] != nil }
        return customer.tokens.contains {
            $0.token == id && isReachable($0, of: customer, in: app) && $0.status(at: now, in: app) != nil
        }
    }

    /// When an order was seen in that column; one that the orders interface does not know shows only in the old
    /// interface's status.
    private func shown(
        _ order: PlayOrder, of token: PlayToken, in app: SimulatedApp, _ column: BookColumn
    ) -> Disclosures.Shown? {
        var shown = disclosed.orders[order.id]
        if order.isUnknown {
            guard app.play?.api == .v1 else { return nil }
            shown = disclosed.answers[token.token]?.first { order.isSettled(at: $0) }.map { .init(first: $0, last: $0) }
        }
        // Without an answer about the purchase nobody knows its orders' ids.
        if isLost(token), shown == nil { return nil }
        return column == .disclosed ? shown : Disclosures.Shown(first: shown?.first ?? now, last: now)
    }
}

extension PlayBooks {
    func lineages(_ column: BookColumn) -> [Lineage] {
        everyCustomer.flatMap { customer, app in
            chains(of: customer) { !$0.isTest && !$0.isPrepaid && !$0.isOneTime }.map {
                lineage(of: $0, by: customer, in: app, column)
            }
        }
    }

    /// The purchases that follow one another, as far as they count.
    private func chains(of customer: PlayCustomer, where counts: (PlayToken) -> Bool = { _ in true }) -> [[PlayToken]] {
        let chains = Dictionary(grouping: customer.tokens.filter(counts)) {
            customer.ancestors(of: $0).first?.token ?? $0.token
        }
        return Array(chains.values)
    }

    /// One an order, in their order: nothing that runs beside others.
    private func line(of images: [PeriodImage]) -> [PeriodImage] {
        images.filter { !$0.isBeside && !$0.isAddOn }.sorted {
            ($0.booked.periodStart, $0.booked.purchasedAt, $0.booked.transactionID)
                < ($1.booked.periodStart, $1.booked.purchasedAt, $1.booked.transactionID)
        }
    }

    private func lineage(
        of tokens: [PlayToken], by customer: PlayCustomer, in app: SimulatedApp, _ column: BookColumn
    ) -> Lineage {
        let all = tokens.flatMap { self.images(of: $0, by: customer, in: app, column) }
        let images = line(of: all)
        // That a purchase was replaced ends nothing where another one goes on with what it paid for.
        let speaks = { (token: PlayToken, status: DisclosedStatus) in
            token.carriedOnBy == nil || status.subscription.endReason != .replaced
        }
        var statuses = Dictionary(
            grouping: tokens.flatMap { token in
                disclosedStatuses(of: token, in: app).filter { speaks(token, $0) }.map {
                    $0.standing(on: images, of: token)
                }
            }, by: \.orderID)
        if column == .happened {
            let orders = Set(images.map(\.booked.periodKey))
            // What the store would say of each now; of those that it has forgotten only what it once disclosed counts.
            for token in tokens where !isLost(token) {
                guard let status = token.status(at: now, in: app)?.standing(on: images, of: token),
                    speaks(token, status),
                    status.orderID.map(orders.contains) ?? false
                else { continue }
                statuses[status.orderID, default: []].append(status)
            }
        }
        return Lineage(
            appID: customer.appID, periods: PlayLineage(images: images, statuses: statuses).lined,
            money: all.flatMap(\.entries))
    }

    /// By order: when the next one of its line began.
    func supersededAt(_ column: BookColumn) -> [(String, Int64)] {
        everyCustomer.flatMap { customer, app in
            chains(of: customer).flatMap { tokens in
                let line = self.line(of: tokens.flatMap { images(of: $0, by: customer, in: app, column) })
                return zip(line, line.dropFirst()).map { ($0.booked.periodKey, $1.booked.periodStart) }
            }
        }
    }
}

extension DisclosedStatus {
    /// An order that was not settled yet, or left out, carries nothing until it is seen: the one before it goes on.
    fileprivate func standing(on images: [PeriodImage], of token: PlayToken) -> DisclosedStatus {
        guard let place = token.orders.firstIndex(where: { $0.id == orderID }), token.orders[place].isOutOfSight(at: at)
        else { return self }
        let seen = Set(images.map(\.booked.periodKey))
        guard !seen.contains(token.orders[place].id) else { return self }
        var status = self
        status.orderID = token.orders[..<place].last { seen.contains($0.id) }?.id
        return status
    }
}

extension PlayOrder {
    fileprivate func isOutOfSight(at now: Int64) -> Bool {
        !isSettled(at: now) || (hiddenUntil.map { now < $0 } ?? false)
    }
}
