// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// Purchases out of the ordinary, worked out on paper: sold once, restored, shared in a family, promised for a year.
@Suite struct PaperPurchaseTests {
    private static let first = "100000000000001"
    private static let restored = "100000000000099"

    /// Two at 4.00 together, given back on 12 January: shown by the history, by no status, and no subscription.
    @Test func `what is sold once is a row and money and nothing else`() async throws {
        var coins = Paper.sale(7)
        coins.refund = Refund(at: instant("2026-01-12T08:00:00Z"), extent: .full)
        let customers = Paper.customers([Paper.life(Paper.january())], sales: [coins])
        try await withStores(customers, clock: "2026-01-13T00:00:00Z") { stores, client in
            #expect(try await client.statuses(Self.first).entries.count == 1)
            #expect(stores.books.told.count == 1)
            let row = try await client.history(Self.first).transactions.first { $0["type"] as? String == "Consumable" }
            #expect(row?["transactionId"] as? String == "100000000000007" && row?["quantity"] as? Int == 2)
            #expect(row?["price"] as? Int == 4_000 && row?["revocationDate"] as? Int == 1_768_204_800_000)
            #expect(row?["expiresDate"] == nil && row?["webOrderLineItemId"] == nil)
            #expect(stores.books.told.map(\.kind) == [.purchase, .oneTime])
            #expect(stores.books.states(.disclosed) == ["active"])
            #expect(
                stores.books.sold(.disclosed, through: "2026-01-12")
                    == [
                        "2026-01-01 US USD charges 1 7990000 refunds 0 0",
                        "2026-01-02 US USD charges 1 4000000 refunds 0 0",
                        "2026-01-12 US USD charges 0 0 refunds 1 4000000",
                    ])
            let quiet = stores.books.churn(.disclosed, through: "2026-01-12").filter { $0.product.hasSuffix("coins") }
            #expect(quiet.isEmpty)
        }
    }

    @Test func `a receipt of one-time products alone has no latest info`() async throws {
        let customers = Paper.customers([], sales: [Paper.sale(7, .nonConsumable)], app: Paper.receiptApp)
        try await withStores(customers, apps: [Paper.receiptApp], clock: "2026-01-05T00:00:00Z") { stores, client in
            let answer = try await client.verify(account: "account-1")
            let sold = (answer.json["receipt"] as? [String: Any])?["in_app"] as? [[String: String]]
            #expect(answer.receiptStatus == 0 && answer.json["latest_receipt_info"] == nil)
            #expect(answer.json["pending_renewal_info"] == nil)
            #expect(sold?.count == 1 && sold?.first?["expires_date"] == nil && sold?.first?["quantity"] == "2")
            #expect(stores.books.told.map(\.kind) == [.oneTime] && stores.books.told[0].priceMicros == nil)
            #expect(stores.books.states(.disclosed) == [])
        }
    }

    /// From 15 January the period goes by another id; whoever knew it before keeps the first one, others never see that.
    @Test func `a restore changes the id of a period and not the period`() async throws {
        let life = Paper.life(
            Paper.january().with { $0.restores = [.init(at: instant("2026-01-15T12:00:00Z"), Self.restored)] })
        for (asksBefore, id) in [(true, Self.first), (false, Self.restored)] {
            try await withStores(Paper.customers(life), clock: "2026-01-05T00:00:00Z") { stores, client in
                if asksBefore { _ = try await client.statuses(Self.first) }
                #expect(try await client.statuses(Self.restored).errorCode == 4_040_010)
                let revision = try await (asksBefore ? client.history(Self.first).revision : nil)
                stores.setClock(instant("2026-01-16T00:00:00Z"))
                let again = try await client.history(Self.restored, revision: revision)
                #expect(again.transactionIDs == [Self.restored])
                #expect(again.transactions.first?["webOrderLineItemId"] as? String == "500000000000001")
                #expect(stores.books.told.map(\.transactionID) == [id])
                #expect(stores.books.happened.map(\.transactionID) == [id])
                #expect(try await client.statuses(Self.restored).statusByID == [Self.first: 1])
            }
        }
    }

    @Test func `a family's share ends without money`() async throws {
        let life = Paper.life(
            Paper.january().with { $0.refund = Refund(at: instant("2026-01-10T15:00:00Z"), extent: .familyRevoke) },
            ownership: .familyShared)
        for app in [Paper.app, Paper.receiptApp] {
            let books = Paper.books(life, at: "2026-01-12T00:00:00Z", app: app)
            #expect(books.states(.happened) == ["revoked revoke"])
            #expect(books.happened.map(\.refundKind) == [.revoke] && books.happened[0].refundMicros == nil)
            #expect(books.sold(through: "2026-01-12") == [] && books.churned(through: "2026-01-12") == [])
        }
    }

    /// A year promised, paid by the month: cancelled on 10 January, it goes on until the twelfth month all the same.
    @Test func `a commitment is cancelled in its own field`() async throws {
        let commitment = Commitment(
            number: 1, expiresAt: instant("2027-01-01T10:00:00Z"), priceMilliunits: 60_000)
        var life = Paper.life(Paper.january().with { $0.commitment = commitment })
        life.autoRenew = [.init(at: instant("2026-01-10T00:00:00Z"), false)]
        try await withStores(Paper.customers(life), clock: "2026-01-12T00:00:00Z") { stores, client in
            let entry = try #require(try await client.statuses(Self.first).entries.first)
            let renewal = payload(try #require(entry["signedRenewalInfo"] as? String))
            let next = renewal["commitmentInfo"] as? [String: Any]
            #expect(renewal["autoRenewStatus"] as? Int == 1 && next?["commitmentAutoRenewStatus"] as? Int == 0)
            #expect(next?["commitmentRenewalDate"] as? Int == 1_798_797_600_000)
            let row = payload(try #require(entry["signedTransactionInfo"] as? String))
            let month = row["commitmentInfo"] as? [String: Any]
            #expect(row["billingPlanType"] as? String == "MONTHLY" && month?["billingPeriodNumber"] as? Int == 1)
            #expect(month?["totalBillingPeriods"] as? Int == 12 && month?["commitmentPrice"] as? Int == 60_000)
            // Eleven months are owed: nothing is set to cancel.
            let booked = stores.books.subscriptions(.disclosed)
            #expect(booked.map(\.autoRenew) == [true])
            #expect(booked.map(\.committedUntil) == [instant("2027-01-01T10:00:00Z")])
            #expect(booked.map(\.renewalMicros) == [7_990_000])
        }
    }

    @Test func `in its last month a commitment that was cancelled renews no more`() {
        let commitment = Commitment(
            number: 12, expiresAt: instant("2026-02-01T10:00:00Z"), priceMilliunits: 60_000)
        var life = Paper.life(Paper.january().with { $0.commitment = commitment })
        life.autoRenew = [.init(at: instant("2025-02-10T00:00:00Z"), false)]
        let booked = Paper.books(life, at: "2026-01-12T00:00:00Z").subscriptions(.happened)
        #expect(booked.map(\.autoRenew) == [false])
        #expect(booked.map(\.committedUntil) == [instant("2026-02-01T10:00:00Z")])
        #expect(booked.map(\.renewalMicros) == [nil])
    }

    /// The first month at 0.99 on an introductory offer; the list's 7.99 from February on.
    @Test func `who is on an offer renews at the list's price, or at the offer's where it goes on`() async throws {
        let offer = Offer(.introductory, .payAsYouGo, term: .months(1))
        let first = Paper.january().with { ($0.offer, $0.priceMilliunits) = (offer, 990) }
        let second = Paper.february().with { ($0.offer, $0.priceMilliunits) = (offer, 990) }
        for (life, price) in [
            (Paper.life(first), 7_990), (Paper.life(first, Paper.february()), 7_990), (Paper.life(first, second), 990),
        ] {
            try await withStores(Paper.customers(life), clock: "2026-01-12T00:00:00Z") { stores, client in
                let entry = try #require(try await client.statuses(Self.first).entries.first)
                let renewal = payload(try #require(entry["signedRenewalInfo"] as? String))
                #expect(renewal["renewalPrice"] as? Int == price && renewal["currency"] as? String == "USD")
                let booked = stores.books.subscriptions(.disclosed)
                #expect(booked.map(\.renewalMicros) == [Int64(price) * 1_000])
                let due = stores.books.metrics(.disclosed).renewals(after: "2026-01-12")
                #expect(due.map { $0.words["amount_source"] } == ["store"])
                #expect(due.map { $0["amount"] } == [Int64(price) * 1_000])
            }
        }
    }

    /// A bundle and the month that it includes: two rows of one customer, who pays 19.99 once.
    @Test func `what a bundle includes has a row of its own, and the bundle's is the subscriber`() async throws {
        let span = ("2026-01-01T10:00:00Z", "2026-02-01T10:00:00Z")
        var bundle = Paper.life(
            Paper.period(1, span.0, span.1, product: Paper.premium, price: 19_990, reason: .purchase))
        bundle.isBundle = true
        var included = Paper.life(Paper.january(2))
        included.includedIn = [Self.first]
        try await withStores(Paper.customers([bundle, included], sales: []), clock: "2026-01-12T00:00:00Z") {
            stores, client in
            let own = included.originalTransactionID
            for id in [Self.first, own] {
                #expect(try await client.statuses(id).statusByID == [Self.first: 1, own: 1])
            }
            for id in [Self.first, own] { try await client.wholeHistory(id) }
            let rows = try await client.history(Self.first).transactions
            let row = try #require(rows.first { $0["transactionId"] as? String == own })
            #expect(row["bundleTransactionId"] as? String == Self.first && row["price"] as? Int == 7_990)
            #expect(row["inAppOwnershipType"] as? String == "PURCHASED")
            for column in BookColumn.allCases {
                let booked = stores.books.transactions(column).sorted { $0.transactionID < $1.transactionID }
                #expect(booked.map(\.ownership) == [.purchased, .assigned])
                #expect(booked.map(\.priceMicros) == [19_990_000, nil])
                #expect(booked.map(\.bundleTransactionID) == [nil, Self.first])
                let metrics = stores.books.metrics(column)
                let left = metrics.exclusions(through: "2026-01-12")
                #expect(left.map { $0.words["reason"] } == ["bundled"] && left.map { $0["rows"] } == [1])
                #expect(metrics.cohorts(through: "2026-01-31").figures("cohort_size") == [1])
            }
            #expect(stores.books.access().map(\.reason) == [.active, .active])
        }
    }

    @Test func `what the customer says to a higher price is told while it is asked`() async throws {
        var life = Paper.life(Paper.january(), Paper.february())
        life.priceConsent = [
            .init(at: instant("2026-01-10T00:00:00Z"), .pending), .init(at: instant("2026-01-20T00:00:00Z"), .agreed),
            .init(at: instant("2026-02-01T10:00:00Z"), nil),
        ]
        try await withStores(Paper.customers(life), clock: "2026-01-05T00:00:00Z") { stores, client in
            for (day, status) in [("01-05", nil), ("01-12", 0), ("01-22", 1), ("02-02", nil)] as [(String, Int?)] {
                stores.setClock(instant("2026-\(day)T00:00:00Z"))
                let entry = try #require(try await client.statuses(Self.first).entries.first)
                let renewal = payload(try #require(entry["signedRenewalInfo"] as? String))
                #expect(renewal["priceIncreaseStatus"] as? Int == status, "\(day)")
            }
        }
    }
}
