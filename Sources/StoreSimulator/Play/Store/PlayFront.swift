// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Google Play behind its counter: its customers, what it shows at an instant, and what it remembers having shown.
final class PlayFront: Sendable {
    /// A purchase, and whose it is.
    struct Place: Sendable {
        let app: SimulatedApp
        let customer: PlayCustomer
        let token: PlayToken
    }

    let apps: [SimulatedApp]
    let customers: [PlayCustomer]
    private let places: [String: Place]
    private let tokenOfOrder: [String: String]
    private let revealed = Mutex(PlayRevelations())

    init(apps: [SimulatedApp], customers: [PlayCustomer]) {
        self.apps = apps.filter { $0.play != nil }
        self.customers = customers
        var places: [String: Place] = [:]
        var orders: [String: String] = [:]
        for customer in customers {
            guard let app = apps.first(where: { $0.id == customer.appID }) else { continue }
            for token in customer.tokens {
                places[token.token] = Place(app: app, customer: customer, token: token)
                for order in token.orders where !order.isUnknown { orders[order.id] = token.token }
            }
        }
        self.places = places
        tokenOfOrder = orders
    }

    func place(of token: String) -> Place? { places[token] }

    func app(ofPackage name: String) -> SimulatedApp? { apps.first { $0.bundleID == name } }

    func books(at now: Int64) -> PlayBooks {
        let revealed = revealed.withLock { $0 }
        return PlayBooks(
            customers: customers.map { $0.linked(asToldBy: revealed, at: now) }, apps: apps, now: now,
            revealed: revealed)
    }

    /// `purchases.subscriptionsv2.get`. `isTold`: whether the answer will arrive as it is.
    func subscriptionV2(_ token: String, _ app: SimulatedApp, at now: Int64, isTold: Bool) throws -> DeskAnswer {
        guard let (place, moment) = purchase(token, app, at: now), !place.token.isOneTime else {
            return GoogleError.notFound
        }
        guard !place.token.isForgotten(at: now) else { return forget(token, isTold: isTold) }
        if isTold { tell(token, at: now) }
        return try .json(PlaySubscriptionV2(place.token, moment, of: place.customer, in: app, at: now))
    }

    /// `purchases.subscriptions.get`, the old one, which also wants to be told the product.
    func subscriptionV1(
        _ token: String, product: String, _ app: SimulatedApp, at now: Int64, isTold: Bool
    ) throws -> DeskAnswer {
        guard let (place, moment) = purchase(token, app, at: now) else { return GoogleError.notFound }
        guard moment.items.contains(where: { $0.product.identifier(in: app.bundleID) == product }) else {
            return GoogleError.wrongProduct
        }
        guard !place.token.isForgotten(at: now) else { return forget(token, isTold: isTold) }
        guard let body = PlaySubscriptionV1(place.token, moment, of: place.customer) else {
            return GoogleError.notFound
        }
        if isTold { tell(token, at: now) }
        return try .json(body)
    }

    /// `purchases.productsv2.getproductpurchasev2`: what was sold once.
    func product(_ token: String, _ app: SimulatedApp, at now: Int64) throws -> DeskAnswer {
        guard let (place, _) = purchase(token, app, at: now),
            let body = PlayProductPurchase(place.token, of: place.customer, in: app, at: now)
        else { return GoogleError.notFound }
        return try .json(body)
    }

    private func purchase(_ token: String, _ app: SimulatedApp, at now: Int64) -> (Place, PlayMoment)? {
        guard let place = places[token], place.app.id == app.id, place.token.startedAt <= now,
            let moment = place.token.moment(at: now)
        else { return nil }
        return (place, moment)
    }

    private func forget(_ token: String, isTold: Bool) -> DeskAnswer {
        if isTold { revealed.withLock { $0.forget(token) } }
        return GoogleError.gone
    }

    private func tell(_ token: String, at now: Int64) {
        revealed.withLock { $0.tell(token, at: now) }
    }

    /// One order; nil where the store knows none of that id.
    private func order(_ id: String, _ app: SimulatedApp, at now: Int64) -> (place: Place, order: PlayOrder)? {
        guard let token = tokenOfOrder[id], let place = places[token], place.app.id == app.id,
            let order = place.token.orders.first(where: { $0.id == id }), order.createdAt <= now
        else { return nil }
        return (place, order)
    }

    /// `orders.get`.
    func order(_ id: String, _ app: SimulatedApp, at now: Int64, isTold: Bool) throws -> DeskAnswer {
        guard let found = order(id, app, at: now) else { return GoogleError.notFound }
        if isTold { show([found.order], at: now) }
        return try .json(
            PlayOrderAnswer(found.order, of: found.place.token, by: found.place.customer, in: app, at: now))
    }

    /// `orders.batchGet`: all of them, or, where one is unknown, none.
    func orders(_ ids: [String], _ app: SimulatedApp, at now: Int64, isTold: Bool) throws -> DeskAnswer {
        guard (1...1_000).contains(ids.count), Set(ids).count == ids.count else {
            return GoogleError.answer(
                400, "invalidValue", "Between 1 and 1000 distinct order IDs must be given.", word: "INVALID_ARGUMENT")
        }
        let found = ids.compactMap { order($0, app, at: now) }
        guard found.count == ids.count else { return GoogleError.notFound }
        if isTold { show(found.map(\.order), at: now) }
        return try .json([
            "orders": found.map {
                PlayOrderAnswer($0.order, of: $0.place.token, by: $0.place.customer, in: app, at: now)
            }
        ])
    }

    private func show(_ orders: [PlayOrder], at now: Int64) {
        revealed.withLock { revealed in
            for order in orders where order.isSettled(at: now) { revealed.show(order.id, at: now) }
        }
    }

    /// `purchases.voidedpurchases.list`: the oldest first, by when the store's system saw them.
    func voided(_ query: [String: String], _ app: SimulatedApp, at now: Int64) throws -> DeskAnswer {
        guard let window = PlayVoidedWindow(query, now: now) else { return GoogleError.invalidToken }
        let isForSubscriptions = query["type"] == "1"
        let isOfUnits = query["includeQuantityBasedPartialRefund"] == "true"
        let seen = voids(of: app, at: now).filter { token, _, void in
            (isForSubscriptions || token.isOneTime) && (isOfUnits || void.quantity == nil)
                && void.seenAt / 1_000 >= window.start / 1_000
                && void.seenAt / 1_000 <= window.end / 1_000
        }
        let page = seen.dropFirst(window.offset).prefix(window.limit)
        let next = window.offset + page.count
        return try .json(
            PlayVoidedAnswer(
                pageInfo: .init(
                    totalResults: seen.count, resultPerPage: window.limit,
                    startIndex: window.offset == 0 ? nil : window.offset),
                tokenPagination: next < seen.count ? .init(nextPageToken: window.token(from: next)) : nil,
                voidedPurchases: page.isEmpty ? nil : page.map(PlayVoidedAnswer.Entry.init)))
    }

    private func voids(of app: SimulatedApp, at now: Int64) -> [(PlayToken, PlayOrder, PlayOrder.Void)] {
        customers.filter { $0.appID == app.id }.flatMap(\.tokens).flatMap { token in
            token.orders.compactMap { order in
                order.void.flatMap { $0.seenAt <= now ? (token, order, $0) : nil }
            }
        }.sorted { ($0.2.seenAt, $0.1.id) < ($1.2.seenAt, $1.1.id) }
    }

    /// Purchases of that time: what the app's backend hands in.
    func registrations(since: Int64, until: Int64) -> [Registration] {
        places.values.filter { $0.token.isRegistered && $0.token.startedAt > since && $0.token.startedAt <= until }
            .sorted { ($0.token.startedAt, $0.token.token) < ($1.token.startedAt, $1.token.token) }
            .map { place in
                let (product, expiresAt) = place.token.atFirst
                return Registration(
                    appID: place.app.id, storeKey: place.token.token, accountID: place.customer.accountID,
                    productID: product.identifier(in: place.app.bundleID),
                    environment: place.token.isTest ? .sandbox : .production,
                    expiresAt: place.token.isOneTime ? nil : expiresAt,
                    receipt: nil, country: nil)
            }
    }
}

extension PlayVoidedAnswer.Entry {
    init(_ token: PlayToken, _ order: PlayOrder, _ void: PlayOrder.Void) {
        purchaseToken = token.token
        purchaseTimeMillis = PlayJSON.milliseconds(order.createdAt)
        voidedTimeMillis = PlayJSON.milliseconds(void.at)
        orderId = order.id
        voidedSource = void.source == 0 ? nil : void.source
        voidedReason = void.reason == 0 ? nil : void.reason
        voidedQuantity = void.quantity
    }
}
