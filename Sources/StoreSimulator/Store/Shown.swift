// SPDX-License-Identifier: Apache-2.0

/// A transaction as answers handle it: a period of a subscription, or a sale that stands by itself.
enum Shown: Sendable {
    case period(SubscriptionLife, Int)
    case sale(OneTimeSale)

    /// The id it goes by at an instant.
    func transactionID(at now: Int64) -> String {
        switch self {
        case .period(let life, let index): life.periods[index].transactionID(at: now)
        case .sale(let sale): sale.transactionID
        }
    }

    /// Every id it ever goes by, with the instant from which it does.
    var identifiers: [(id: String, from: Int64)] {
        switch self {
        case .period(let life, let index):
            let period = life.periods[index]
            return [(period.transactionID, period.createdAt)] + period.restores.map { ($0.value, $0.at) }
        case .sale(let sale): return [(sale.transactionID, sale.purchasedAt)]
        }
    }

    /// The last instant at or before `now` at which it was made or changed; nil while it does not exist.
    func lastModified(at now: Int64) -> Int64? {
        switch self {
        case .period(let life, let index): life.periods[index].lastModified(at: now)
        case .sale(let sale): sale.lastModified(at: now)
        }
    }

    func refund(at now: Int64) -> Refund? {
        switch self {
        case .period(let life, let index): life.periods[index].refund(at: now)
        case .sale(let sale): sale.refund(at: now)
        }
    }

    /// Whether money was given back of an item.
    func hasGivenBack(at now: Int64) -> Bool {
        guard case .period(let life, let index) = self else { return false }
        return life.periods[index].items(at: now).contains { !$0.givenBack.isEmpty }
    }

    /// The App Store Server API's row.
    func row(of customer: CustomerLife, in app: SimulatedApp, at now: Int64) -> TransactionRow {
        switch self {
        case .period(let life, let index):
            TransactionRow(life.periods[index], of: life, by: customer, in: app, at: now)
        case .sale(let sale): TransactionRow(sale, by: customer, in: app, at: now)
        }
    }
}

extension CustomerLife {
    /// Everything that the customer ever buys.
    var everything: [Shown] {
        subscriptions.flatMap { life in life.periods.indices.map { Shown.period(life, $0) } }
            + sales.map(Shown.sale)
    }

    /// What of it exists at an instant.
    func purchases(at now: Int64) -> [Shown] { everything.filter { $0.lastModified(at: now) != nil } }
}
