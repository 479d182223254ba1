// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Google Play behind its endpoints: its customers, what it shows at an instant, and what it remembers having shown.
final class PlayBackend: Sendable {
    /// A purchase, and whose it is.
    struct Owned: Sendable {
        let app: SimulatedApp
        let customer: PlayCustomer
        let token: PlayToken
    }

    let apps: [SimulatedApp]
    let customers: [PlayCustomer]
    private let places: [String: Owned]
    private let tokenOfOrder: [String: String]
    private let disclosed = Mutex(Disclosures())
    private let mistakes = Mutex(PlayMistakes())

    init(apps: [SimulatedApp], customers: [PlayCustomer]) {
        self.apps = apps.filter { $0.play != nil }
        self.customers = customers
        var places: [String: Owned] = [:]
        var tokenOfOrder: [String: String] = [:]
        for customer in customers {
            guard let app = apps.first(where: { $0.id == customer.appID }) else { continue }
            for token in customer.tokens {
                places[token.token] = Owned(app: app, customer: customer, token: token)
                for order in token.orders where !order.isUnknown { tokenOfOrder[order.id] = token.token }
            }
        }
        (self.places, self.tokenOfOrder) = (places, tokenOfOrder)
    }

    func place(of token: String) -> Owned? { places[token] }

    func app(ofPackage name: String) -> SimulatedApp? { apps.first { $0.bundleID == name } }

    func books(at now: Int64) -> PlayBooks {
        let disclosed = disclosed.withLock { $0 }
        return PlayBooks(
            customers: customers.map { $0.linked(asDisclosedIn: disclosed, at: now) }, apps: apps, now: now,
            disclosed: disclosed)
    }

    /// `purchases.subscriptionsv2.get`.
    ///
    /// `isReported`: whether the answer will arrive as it is.
    func subscriptionV2(_ token: String, _ app: SimulatedApp, at now: Int64, isReported: Bool) throws -> StoreResponse {
        guard let (place, moment) = purchase(token, app, at: now), !place.token.isOneTime else {
            return GoogleError.notFound
        }
        return try show(place, at: now, isReported: isReported) {
            let answer = PlaySubscriptionV2.answer(place.token, moment, of: place.customer, in: app, at: now)
            return spoilt(answer, of: place.token, at: now)
        }
    }

    /// `purchases.subscriptions.get`, the old one, whose request must also name the product.
    func subscriptionV1(
        _ token: String, product: String, _ app: SimulatedApp, at now: Int64, isReported: Bool
    ) throws -> StoreResponse {
        guard let (place, moment) = purchase(token, app, at: now) else { return GoogleError.notFound }
        guard moment.items.contains(where: { $0.product.identifier(in: app.bundleID) == product }) else {
            return GoogleError.wrongProduct
        }
        return try show(place, at: now, isReported: isReported) {
            PlaySubscriptionV1.answer(place.token, moment, of: place.customer)
        }
    }

    /// Remembers what is told of a subscription: where it stands, or that the store has forgotten it.
    private func show(
        _ place: Owned, at now: Int64, isReported: Bool, body: () -> WireObject?
    ) throws -> StoreResponse {
        let token = place.token.token
        guard !place.token.isForgotten(at: now) else {
            if isReported { disclosed.withLock { $0.forget(token) } }
            return GoogleError.gone
        }
        guard let body = body() else { return GoogleError.notFound }
        if isReported { disclosed.withLock { $0.record(token: token, at: now) } }
        return try .json(body)
    }

    /// `purchases.productsv2.getproductpurchasev2`: what was sold once.
    func product(_ token: String, _ app: SimulatedApp, at now: Int64) throws -> StoreResponse {
        guard let (place, _) = purchase(token, app, at: now),
            let body = PlayProductPurchase.answer(place.token, of: place.customer, in: app, at: now)
        else { return GoogleError.notFound }
        return try .json(body)
    }

    private func purchase(_ token: String, _ app: SimulatedApp, at now: Int64) -> (Owned, PlayMoment)? {
        guard let place = places[token], place.app.id == app.id, place.token.startedAt <= now,
            let moment = place.token.moment(at: now)
        else { return nil }
        return (place, moment)
    }

    /// One order; nil where the store knows none of that id.
    private func order(_ id: String, _ app: SimulatedApp, at now: Int64) -> (place: Owned, order: PlayOrder)? {
        guard let token = tokenOfOrder[id], let place = places[token], place.app.id == app.id,
            let order = place.token.orders.first(where: { $0.id == id }), order.createdAt <= now,
            order.hiddenUntil.map({ $0 <= now }) ?? true
        else { return nil }
        return (place, order)
    }

    /// `orders.get`.
    func order(_ id: String, _ app: SimulatedApp, at now: Int64, isReported: Bool) throws -> StoreResponse {
        guard let found = order(id, app, at: now) else { return GoogleError.notFound }
        if isReported { show([found.order], at: now) }
        return try .json(answer(found.place, found.order, at: now))
    }

    /// `orders.batchGet`: all of them, or, where one is unknown, none.
    func orders(_ ids: [String], _ app: SimulatedApp, at now: Int64, isReported: Bool) throws -> StoreResponse {
        guard (1...1_000).contains(ids.count), Set(ids).count == ids.count else {
            return GoogleError.answer(
                400, reason: "invalidValue", "Between 1 and 1000 distinct order IDs must be given.",
                word: "INVALID_ARGUMENT")
        }
        let found = ids.compactMap { order($0, app, at: now) }
        guard found.count == ids.count else { return GoogleError.notFound }
        if isReported { show(found.map(\.order), at: now) }
        return try .json(["orders": found.map { answer($0.place, $0.order, at: now) }])
    }

    private func answer(_ place: Owned, _ order: PlayOrder, at now: Int64) -> WireObject {
        let answer = PlayOrderAnswer(
            order: order, token: place.token, customer: place.customer, app: place.app, now: now)
        return spoilt(answer.document, of: place.token, at: now)
    }

    private func spoilt(_ answer: WireObject, of token: PlayToken, at now: Int64) -> WireObject {
        mistakes.withLock { $0 }.spoilt(answer, of: token.token, at: now)
    }

    /// What it gets wrong from now on.
    func change(_ change: (inout PlayMistakes) -> Void) { mistakes.withLock { change(&$0) } }

    private func show(_ orders: [PlayOrder], at now: Int64) {
        disclosed.withLock { disclosed in
            for order in orders where order.isSettled(at: now) { disclosed.show(order: order.id, at: now) }
        }
    }

    /// `purchases.voidedpurchases.list`: the oldest first, by when the store's system saw them.
    func voided(_ query: [String: String], _ app: SimulatedApp, at now: Int64) throws -> StoreResponse {
        guard let window = PlayVoidedWindow(query, now: now) else { return GoogleError.invalidToken }
        let isForSubscriptions = query["type"] == "1"
        let isOfUnits = query["includeQuantityBasedPartialRefund"] == "true"
        let seen = voids(of: app, at: now).filter { token, _, void in
            (isForSubscriptions || token.isOneTime) && (isOfUnits || void.quantity == nil)
                && void.seenAt.milliseconds >= window.start.milliseconds
                && void.seenAt.milliseconds <= window.end.milliseconds
        }
        let page = seen.dropFirst(window.offset).prefix(window.limit)
        let next = window.offset + page.count
        let info: WireObject = [
            "totalResults": seen.count, "resultPerPage": window.limit,
            "startIndex": window.offset == 0 ? nil : window.offset,
        ]
        var answer: WireObject = ["pageInfo": info]
        if next < seen.count { answer["tokenPagination"] = ["nextPageToken": window.token(from: next)] as WireObject }
        if !page.isEmpty { answer["voidedPurchases"] = page.map { row(of: $0, order: $1, void: $2) } }
        return try .json(answer)
    }

    private func row(of token: PlayToken, order: PlayOrder, void: PlayOrder.Void) -> WireObject {
        [
            "kind": "androidpublisher#voidedPurchase", "purchaseToken": token.token,
            "purchaseTimeMillis": PlayJSON.milliseconds(order.createdAt),
            "voidedTimeMillis": PlayJSON.milliseconds(void.at), "orderId": order.id,
            "voidedSource": void.source == 0 ? nil : void.source, "voidedReason": void.reason == 0 ? nil : void.reason,
            "voidedQuantity": void.quantity,
        ]
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
                    expiresAt: place.token.isOneTime ? nil : expiresAt, receipt: nil, country: nil)
            }
    }
}
