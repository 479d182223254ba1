// SPDX-License-Identifier: Apache-2.0

/// Google Play's own books, in two columns: what happened, and what its answers have revealed.
struct PlayBooks: Sendable {
    let customers: [PlayCustomer]
    let apps: [SimulatedApp]
    let now: Int64
    let revealed: PlayRevelations

    func transactions(_ column: BookColumn) -> [BookedTransaction] { images(column).map(\.booked) }

    /// A purchase of which rows were shown, but never where it stands, is unverified; what is sold once is none of them.
    func subscriptions(_ column: BookColumn) -> [BookedSubscription] {
        everyToken.filter { !$0.1.isOneTime }.compactMap { customer, token, app in
            switch column {
            case .happened:
                guard isReachable(token, of: customer, in: app) else { return nil }
                if isLost(token) { return BookedSubscription(unreachable: token, in: app) }
                return token.standing(at: now, in: app).map { BookedSubscription($0, of: token, in: app) }
            case .revealed:
                if isLost(token), revealed.gone.contains(token.token) {
                    return BookedSubscription(unreachable: token, in: app)
                }
                if let standing = told(token, app).last { return BookedSubscription(standing, of: token, in: app) }
                let isSeen = token.orders.contains { revealed.orders[$0.id] != nil }
                return isSeen ? BookedSubscription(unverified: token.token, appID: app.id) : nil
            }
        }
    }

    /// Every standing that was told of a purchase, the oldest first.
    func history(of token: String) -> [BookedSubscription] {
        everyToken.filter { $0.1.token == token }.flatMap { _, token, app in
            told(token, app).map { BookedSubscription($0, of: token, in: app) }
        }
    }

    func revenue(_ column: BookColumn, through date: String) -> [RevenueRow] {
        PlayRevenue.rows(of: images(column), through: date)
    }

    func churn(_ column: BookColumn, through date: String) -> [ChurnRow] {
        Metrics.churn(paidStories(column), through: date)
    }

    var everyToken: [(PlayCustomer, PlayToken, SimulatedApp)] {
        customers.flatMap { customer -> [(PlayCustomer, PlayToken, SimulatedApp)] in
            guard let app = apps.first(where: { $0.id == customer.appID }) else { return [] }
            return customer.tokens.map { (customer, $0, app) }
        }
    }

    func isReachable(_ token: PlayToken, of customer: PlayCustomer, in app: SimulatedApp) -> Bool {
        customer.isReachable(token, at: now, isPublished: app.play?.publishes ?? false)
    }

    /// The store forgot it before anybody was told of it.
    func isLost(_ token: PlayToken) -> Bool {
        token.isForgotten(at: now) && revealed.tokens[token.token] == nil
    }

    private func told(_ token: PlayToken, _ app: SimulatedApp) -> [PlayStanding] {
        (revealed.tokens[token.token] ?? []).compactMap { token.standing(at: $0, in: app) }
    }

    func images(_ column: BookColumn) -> [PlayImage] {
        everyToken.flatMap { images(of: $1, by: $0, in: $2, column) }
    }

    private func images(
        of token: PlayToken, by customer: PlayCustomer, in app: SimulatedApp, _ column: BookColumn
    ) -> [PlayImage] {
        if column == .happened, !isReachable(token, of: customer, in: app) { return [] }
        let standing =
            column == .happened && !isLost(token) ? token.standing(at: now, in: app) : told(token, app).last
        let next = token.carriedOnBy.flatMap { isKnown($0, of: customer, in: app, column) ? $0 : nil }
        return token.orders.filter { $0.isSettled(at: now) }.flatMap { order -> [PlayImage] in
            guard let shown = sight(of: order, token, app, column) else { return [] }
            let sight = PlaySight(
                first: shown.first, last: shown.last, standing: standing, speaker: next ?? token.token)
            return customer.images(of: order, token, in: app, sight)
        }
    }

    /// It was told where that purchase stands, or could be.
    private func isKnown(
        _ id: String, of customer: PlayCustomer, in app: SimulatedApp, _ column: BookColumn
    ) -> Bool {
        if column == .revealed { return revealed.tokens[id] != nil }
        return customer.tokens.contains {
            $0.token == id && isReachable($0, of: customer, in: app) && $0.standing(at: now, in: app) != nil
        }
    }

    /// When an order was seen in that column; one that the orders interface does not know is told by the old
    /// interface's status alone.
    private func sight(
        of order: PlayOrder, _ token: PlayToken, _ app: SimulatedApp, _ column: BookColumn
    ) -> PlayRevelations.Shown? {
        var shown = revealed.orders[order.id]
        if order.isUnknown {
            guard app.play?.api == .v1 else { return nil }
            shown = revealed.tokens[token.token]?.first { order.isSettled(at: $0) }.map { .init(first: $0, last: $0) }
        }
        // Who cannot be told of a purchase cannot be told what its orders are called.
        if isLost(token), shown == nil { return nil }
        return column == .revealed ? shown : PlayRevelations.Shown(first: shown?.first ?? now, last: now)
    }

    /// The images that stand for their orders, line by line, in their order.
    func chains(of images: [PlayImage]) -> [[PlayImage]] {
        let oldest = Dictionary(
            everyToken.map { customer, token, _ in
                (token.token, customer.ancestors(of: token).first?.token ?? token.token)
            }
        ) { first, _ in first }
        return Dictionary(grouping: images) { oldest[$0.token.token] ?? $0.token.token }.values.map { chain in
            chain.sorted {
                ($0.booked.periodStart, $0.booked.purchasedAt, $0.booked.transactionID)
                    < ($1.booked.periodStart, $1.booked.purchasedAt, $1.booked.transactionID)
            }
        }
    }

    func lineages(_ column: BookColumn) -> [PlayLineage] {
        customers.flatMap { customer -> [PlayLineage] in
            guard let app = apps.first(where: { $0.id == customer.appID }) else { return [] }
            let chains = Dictionary(grouping: customer.tokens.filter { !$0.isTest && !$0.isPrepaid && !$0.isOneTime }) {
                customer.ancestors(of: $0).first?.token ?? $0.token
            }
            return chains.values.map { lineage(of: $0, by: customer, in: app, column) }
        }
    }

    /// What the store would say of each now: nothing of those that it has forgotten, but for what it once told.
    private func answers(
        about tokens: [PlayToken], _ app: SimulatedApp
    ) -> [(token: PlayToken, standing: PlayStanding)] {
        tokens.filter { !isLost($0) }.compactMap { token in
            token.standing(at: now, in: app).map { (token, $0) }
        }
    }

    private func lineage(
        of tokens: [PlayToken], by customer: PlayCustomer, in app: SimulatedApp, _ column: BookColumn
    ) -> PlayLineage {
        let all = tokens.flatMap { self.images(of: $0, by: customer, in: app, column) }
        let images = all.filter { $0.isMain && !$0.order.isForAddOn }
            .sorted { ($0.booked.periodStart, $0.booked.purchasedAt) < ($1.booked.periodStart, $1.booked.purchasedAt) }
        // That a purchase was replaced ends nothing where another one goes on with what it paid for.
        let speaks = { (token: PlayToken, standing: PlayStanding) in
            token.carriedOnBy == nil || standing.endReason != .replaced
        }
        var standings = Dictionary(
            grouping: tokens.flatMap { token in told(token, app).filter { speaks(token, $0) } }, by: \.orderID)
        if column == .happened {
            let orders = Set(images.map(\.order.id))
            let current = answers(about: tokens, app).filter(speaks).map(\.standing)
            for standing in current where standing.orderID.map(orders.contains) ?? false {
                standings[standing.orderID, default: []].append(standing)
            }
        }
        return PlayLineage(
            appID: customer.appID, images: images.filter(\.order.isPaid), free: images.filter { !$0.order.isPaid },
            standings: standings, money: all.flatMap(\.entries))
    }
}
