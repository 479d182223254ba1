// SPDX-License-Identifier: Apache-2.0

@testable import StoreSimulator

/// Lives written by hand, short enough to be worked out on paper.
enum Paper {
    static let app = SimulatedApp.server(id: "acme-ios", bundleID: "com.acme.app")
    static let receiptApp = SimulatedApp.receipt(id: "acme-legacy", bundleID: "com.acme.app")
    static let monthly = "com.acme.app.monthly"
    static let premium = "com.acme.app.premium.monthly"

    /// A period of the monthly product at 7.99, unless said otherwise.
    static func period(
        _ number: Int, _ start: String, _ end: String, product: String = monthly, price: Int64? = 7_990,
        reason: Period.Reason = .renewal, offer: Offer? = nil
    ) -> Period {
        Period(
            transactionID: String(100_000_000_000_000 + number), lineItemID: String(500_000_000_000_000 + number),
            productID: product, term: .months(1), createdAt: instant(start), purchasedAt: instant(start),
            expiresAt: instant(end), reason: reason, priceMilliunits: price, offer: offer)
    }

    /// The first purchase of it all: 2026-01-01 10:00 for a month.
    static func january(_ number: Int = 1) -> Period {
        period(number, "2026-01-01T10:00:00Z", "2026-02-01T10:00:00Z", reason: .purchase)
    }

    /// The renewal that follows it without a gap.
    static func february(_ number: Int = 2) -> Period {
        period(number, "2026-02-01T10:00:00Z", "2026-03-01T10:00:00Z")
    }

    /// A week for nothing, from 2026-01-01 10:00.
    static func trial(_ number: Int = 1) -> Period {
        period(
            number, "2026-01-01T10:00:00Z", "2026-01-08T10:00:00Z", price: 0, reason: .purchase,
            offer: Offer(.introductory, .freeTrial, term: .weeks(1))
        ).with { $0.term = .weeks(1) }
    }

    static func life(
        _ periods: Period..., group: String = "21000001", ownership: Ownership = .purchased
    ) -> SubscriptionLife {
        SubscriptionLife(
            originalTransactionID: periods[0].transactionID, groupID: group, ownership: ownership, periods: periods)
    }

    /// One customer with these subscriptions.
    static func customers(
        _ lives: SubscriptionLife..., app: SimulatedApp = app, environment: StoreEnvironment = .production
    ) -> [CustomerLife] {
        [CustomerLife(appID: app.id, accountID: "account-1", environment: environment, subscriptions: lives)]
    }

    /// Something sold once, on 2026-01-02, for 4.00 unless said otherwise.
    static func sale(_ number: Int, _ kind: SaleKind = .consumable, price: Int64? = 4_000) -> Period {
        Period.sale(
            transactionID: String(100_000_000_000_000 + number), productID: "com.acme.app.coins", kind: kind,
            purchasedAt: instant("2026-01-02T10:00:00Z"), quantity: 2, priceMilliunits: price)
    }

    /// The same customer with these sales.
    static func customers(_ lives: [SubscriptionLife], sales: [Period], app: SimulatedApp = app) -> [CustomerLife] {
        [CustomerLife(appID: app.id, accountID: "account-1", subscriptions: lives, sales: sales)]
    }

    /// The books about one life at an instant, when nobody ever asked.
    static func books(_ life: SubscriptionLife, at now: String, app: SimulatedApp = app) -> Books {
        Books(customers: customers(life, app: app), apps: [app], now: instant(now))
    }
}

extension Period {
    /// The same period with changes.
    func with(_ change: (inout Period) -> Void) -> Period {
        var copy = self
        change(&copy)
        return copy
    }
}

/// What happened, in one line each.
extension Books {
    var happened: [BookedTransaction] { transactions(.happened) }
    var told: [BookedTransaction] { transactions(.disclosed).sorted { $0.transactionID < $1.transactionID } }

    func states(_ column: BookColumn) -> [String] {
        subscriptions(column).sorted { $0.originalTransactionID < $1.originalTransactionID }.map { it in
            ([it.state.rawValue] + (it.endReason.map { [$0.rawValue] } ?? [])).joined(separator: " ")
        }
    }

    /// The churn rows of the days named: only what is not zero, in a fixed order.
    func churned(
        _ column: BookColumn = .happened, from first: String = "2026-01-01", through last: String
    ) -> [String] {
        churn(column, through: last).filter { $0.date >= first }.map { row in
            ([row.date, row.product] + row.texts()).joined(separator: " ")
        }
    }

    /// Days with nothing but an opening of one.
    static func quiet(_ days: String...) -> [String] { days.map { "2026-\($0) monthly opening 1" } }

    func sold(_ column: BookColumn = .happened, through last: String) -> [String] {
        revenue(column, through: last).map { row in
            "\(row.date) \(row.words["country"] ?? "-") \(row.words["currency"] ?? "-") \(row.sales)"
        }
    }
}

extension Paper {
    /// A life with nearly everything in it.
    static var eventfulLife: SubscriptionLife {
        let trouble = Ending.BillingTrouble(
            graceEndsAt: instant("2026-03-17T10:00:00Z"), outcome: .givenUp(at: instant("2026-04-30T10:00:00Z")))
        var life = life(
            january().with {
                $0.refund = Refund(at: instant("2026-02-05T08:00:00Z"), extent: .full)
                $0.refundChanges = [.init(at: instant("2026-02-08T08:00:00Z"), nil)]
            }, february().with { $0.ending = .billing(trouble) },
            period(3, "2026-05-20T10:00:00Z", "2026-06-20T10:00:00Z", reason: .purchase))
        life.autoRenew = [
            .init(at: instant("2026-01-10T08:00:00Z"), false), .init(at: instant("2026-01-12T08:00:00Z"), true),
        ]
        life.priceConsent = [
            .init(at: instant("2026-01-15T08:00:00Z"), .pending), .init(at: instant("2026-01-20T08:00:00Z"), .agreed),
        ]
        life.renewalProduct = [
            .init(at: instant("2026-02-10T08:00:00Z"), "com.acme.app.weekly"),
            .init(at: instant("2026-02-12T08:00:00Z"), monthly),
        ]
        return life
    }
}
