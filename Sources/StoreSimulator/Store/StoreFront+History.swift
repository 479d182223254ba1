// SPDX-License-Identifier: Apache-2.0

extension StoreFront {
    /// The largest page of a history.
    static let pageSize = 20

    /// Get Transaction History: by the instant of the last change; after a revision only what is new or changed.
    ///
    /// A revision names the instant and the place up to which a reader has read.
    func history(
        of id: String, asking query: HistoryQuery, app: SimulatedApp, in environment: StoreEnvironment,
        telling: Telling
    ) throws -> DeskAnswer {
        if let failure = query.failure { return .failure(400, failure) }
        return try pages(of: id, app: app, in: environment, telling: telling) { customer, now in
            guard let from = Revision(query.revision, descending: query.isDescending) else { return nil }
            let changes = Self.changes(of: customer, at: now) { query.wants($0, at: now) }
            let rest = query.isDescending ? changes.reversed().filter { $0.at < from } : changes.filter { $0.at > from }
            return (from, rest)
        } body: { page in
            ServerAnswers.History(
                revision: page.revision, hasMore: page.hasMore, bundleId: app.bundleID, appAppleId: app.appAppleID,
                environment: environment.storeName, signedTransactions: page.rows)
        }
    }

    /// Get Refund History: what money was given back for, and still is; what was merely withdrawn from a family is not
    /// among it, nor what was reversed.
    func refunds(
        of id: String, revision: String?, app: SimulatedApp, in environment: StoreEnvironment, telling: Telling
    ) throws -> DeskAnswer {
        try pages(of: id, app: app, in: environment, telling: telling) { customer, now in
            guard let from = Revision(revision) else { return nil }
            let refunded = Self.changes(of: customer, at: now) { purchase in
                purchase.refund(at: now)?.isOfMoney ?? purchase.hasGivenBack(at: now)
            }
            return (from, refunded.filter { $0.at > from })
        } body: { page in
            ServerAnswers.Refunds(revision: page.revision, hasMore: page.hasMore, signedTransactions: page.rows)
        }
    }

    /// Get Transaction Info: one row.
    func transaction(
        _ id: String, app: SimulatedApp, in environment: StoreEnvironment, telling: Telling
    ) throws -> DeskAnswer {
        guard Self.isID(id) else { return .failure(400, .malformedID) }
        let now = clock
        guard let customer = customer(ofTransaction: id, app: app), customer.environment == environment,
            let purchase = customer.purchase(id, at: now)
        else { return .failure(404, .unknownTransaction) }
        reveal([purchase], standings: [], of: customer, app: app, at: now, telling: telling)
        return try .json(
            ServerAnswers.Info(signedTransactionInfo: try keys.sign(purchase.row(of: customer, in: app, at: now))))
    }

    /// A transaction with the place of its last change.
    typealias Change = (at: Revision, purchase: Shown)

    private struct Page {
        let revision: String
        let hasMore: Bool
        let rows: [String]
    }

    /// In the order of their last changes.
    private static func changes(of customer: CustomerLife, at now: Int64, where wanted: (Shown) -> Bool) -> [Change] {
        customer.everything.filter(wanted).compactMap { purchase in
            purchase.lastModified(at: now).map { at in
                (at: Revision(at: at, id: purchase.identifiers[0].id), purchase: purchase)
            }
        }.sorted { $0.at < $1.at }
    }

    /// A page of at most twenty, or as few as this customer's pages hold; `choose` tells from where on and what is left, nil for a revision nobody gave out.
    private func pages<Body: Encodable>(
        of id: String, app: SimulatedApp, in environment: StoreEnvironment, telling: Telling,
        choose: (CustomerLife, Int64) -> (from: Revision, rest: [Change])?, body: (Page) -> Body
    ) throws -> DeskAnswer {
        guard Self.isID(id) else { return .failure(400, .malformedID) }
        guard let customer = customer(ofTransaction: id, app: app), customer.environment == environment else {
            return .failure(404, .unknownTransaction)
        }
        let now = clock
        guard let (from, rest) = choose(customer, now) else { return .failure(400, .unknownRevision) }
        let page = rest.prefix(min(customer.historyPage, Self.pageSize))
        reveal(page.map(\.purchase), standings: [], of: customer, app: app, at: now, telling: telling)
        return try .json(
            body(
                Page(
                    revision: (page.last?.at ?? from).text, hasMore: rest.count > page.count,
                    rows: try page.map { try keys.sign($0.purchase.row(of: customer, in: app, at: now)) })))
    }
}
