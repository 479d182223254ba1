// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// Groups, worked out on paper: three seats from 1 January, 10:00, two more from the eleventh, five from 1 February.
@Suite struct SeatTests {
    private static let first = "100000000000001"

    /// 2 × 9.99 + 7.99 = 27.97, the cheaper ones first.
    private static let three = Seats([.init(7_990, times: 1), .init(9_990, times: 2)], invitations: .apple)

    private static func seats(_ period: Period, _ seats: Seats) -> Period {
        period.with { ($0.seats, $0.priceMilliunits) = (seats, seats.totalMilliunits) }
    }

    /// 2 × 4.00 for the 21 days that are left.
    private static func added(sharingLineItem: Bool = false) -> Period {
        var two = Seats([.init(4_000, times: 2)], invitations: .apple)
        two.isAddition = true
        let period = Paper.period(2, "2026-01-11T10:00:00Z", "2026-02-01T10:00:00Z", reason: .purchase)
        return seats(period, two).with { if sharingLineItem { $0.lineItemID = Paper.january().lineItemID } }
    }

    private static func group(sharingLineItem: Bool = false) -> SubscriptionLife {
        var three = three
        three.joinedAt = added().purchasedAt
        // 2 × 9.99 + 3 × 7.99 = 43.95.
        let five = Seats([.init(9_990, times: 2), .init(7_990, times: 3)], invitations: .apple)
        return Paper.life(
            seats(Paper.january(), three), added(sharingLineItem: sharingLineItem), seats(Paper.february(3), five))
    }

    /// 27.97 ÷ 3 = 9.3233…; times three it would be 27.969.
    @Test func `the row has the average of a seat, and the tiers`() async throws {
        try await withStores(Paper.customers(Self.group()), clock: "2026-01-20T00:00:00Z") { stores, client in
            let rows = try await client.history(Self.first).transactions
            let row = try #require(rows.first { $0["transactionId"] as? String == Self.first })
            #expect(row["price"] as? Int == 9_323 && row["quantity"] as? Int == 3)
            let info = try #require(row["multiSeatInfo"] as? [String: Any])
            #expect(info["invitationManagement"] as? String == "APPLE" && info["revokedSeatQuantity"] == nil)
            let tiers = try #require(info["priceTiers"] as? [[String: Any]])
            #expect(tiers.map { $0["tierPrice"] as? Int } == [7_990, 9_990])
            #expect(tiers.map { $0["tierQuantity"] as? Int } == [1, 2])
            #expect(rows.map { $0["additionalTransactionReason"] as? String } == ["SEAT_ADDITION", "SEAT_ADDITION"])
            #expect(rows.allSatisfy { $0["isUpgraded"] == nil })
            let renewal = try await client.statuses(Self.first).entries.compactMap { entry in
                (entry["signedRenewalInfo"] as? String).map(payload)
            }
            #expect(renewal.first?["renewalQuantity"] as? Int == 5)
            #expect(stores.books.told.map(\.priceMicros) == [27_970_000, 8_000_000])
        }
    }

    @Test func `before others are added, a seat is of a single purchase`() async throws {
        try await withStores(Paper.customers(Self.group()), clock: "2026-01-10T00:00:00Z") { _, client in
            let rows = try await client.history(Self.first).transactions
            #expect(rows.count == 1 && rows[0]["additionalTransactionReason"] == nil)
        }
    }

    /// The added ones are a row of their own, whether they share the line item or not, and no second subscriber.
    @Test(arguments: [false, true])
    func `added seats are a row of the same subscriber`(sharingLineItem: Bool) async throws {
        let life = Self.group(sharingLineItem: sharingLineItem)
        try await withStores(Paper.customers(life), clock: "2026-02-05T00:00:00Z") { stores, client in
            try await client.wholeHistory(Self.first)
            for column in BookColumn.allCases {
                let books = stores.books
                #expect(books.transactions(column).count == 3)
                #expect(books.transactions(column).filter { $0.kind == .renewal }.count == 2)
                let rows = books.transactions(column).sorted { $0.purchasedAt < $1.purchasedAt }
                #expect(rows.map(\.seats) == [3, 2, 5])
                #expect(
                    books.sold(column, through: "2026-02-04") == [
                        "2026-01-01 US USD charges 1 27970000 refunds 0 0",
                        "2026-01-11 US USD charges 1 8000000 refunds 0 0",
                        "2026-02-01 US USD charges 1 43950000 refunds 0 0",
                    ])
                #expect(
                    books.churned(column, from: "2026-01-11", through: "2026-01-13")
                        == Books.quiet("01-11", "01-12", "01-13"))
            }
        }
    }

    /// By the list a row of the product is worth its price a month; by its dates the added one is as long as the first, a month.
    @Test(arguments: [PeriodLengths.catalogue, .dates])
    func `added seats are an expansion beside the first`(lengths: PeriodLengths) {
        let (added, renewed) = (Int64(8_000_000), Int64(7_980_000))
        let books = Paper.books(Self.group(), at: "2026-02-05T00:00:00Z").metrics(.happened, lengths: lengths)
        let rows = books.bridge(through: "2026-02-04").filter { !$0.movements.isEmpty }.sorted { $0.date < $1.date }
        #expect(rows.map(\.date) == ["2026-01-01", "2026-01-11", "2026-02-01"])
        #expect(rows.map(\.movements) == [["new": 27_970_000], ["expansion": added], ["expansion": renewed]])
        #expect(rows.figures("closing") == [27_970_000, 27_970_000 + added, 43_950_000])
        // One period came up for renewal, and was renewed.
        let february = books.months(through: "2026-02-04").first { $0.month == "2026-02" }
        #expect(february?["due"] == 1 && february?["renewed"] == 1 && february?["active"] == 1)
        #expect(february?["opening_mrr"] == 27_970_000 + added && february?["closing_mrr"] == 43_950_000)
    }

    private static func givingBack(_ counts: (String, Int64)...) -> SubscriptionLife {
        var four = Seats([.init(7_990, times: 2), .init(9_990, times: 2)], invitations: .developer)
        four.givenBack = counts.map { .init(at: instant($0.0), $0.1) }
        return Paper.life(seats(Paper.january(), four))
    }

    /// The dearest first: 9.99; then with three in all 9.99 + 7.99 = 17.98 more.
    ///
    /// The row names no day: the first answer does.
    @Test func `seats given back are part of the money`() async throws {
        let life = Self.givingBack(("2026-01-15T00:00:00Z", 1), ("2026-01-20T00:00:00Z", 3))
        try await withStores(Paper.customers(life), clock: "2026-01-16T00:00:00Z") { stores, client in
            for now in ["2026-01-16T00:00:00Z", "2026-01-18T00:00:00Z", "2026-01-21T00:00:00Z"] {
                stores.setClock(instant(now))
                let rows = try await client.history(Self.first).transactions
                let info = rows.first?["multiSeatInfo"] as? [String: Any]
                #expect(info?["revokedSeatQuantity"] as? Int == (now < "2026-01-20" ? 1 : 3))
                #expect(rows.first?["revocationDate"] == nil)
            }
            _ = try await client.statuses(Self.first)
            for column in BookColumn.allCases {
                #expect(
                    stores.books.sold(column, through: "2026-01-20") == [
                        "2026-01-01 US USD charges 1 35960000 refunds 0 0",
                        "2026-01-16 US USD charges 0 0 refunds 1 9990000",
                    ])
                #expect(
                    stores.books.sold(column, through: "2026-01-21").last
                        == "2026-01-21 US USD charges 0 0 refunds 1 17980000")
                #expect(stores.books.transactions(column).map(\.refundMicros) == [27_970_000])
                #expect(stores.books.transactions(column).map(\.refundKind) == [.partial])
                #expect(stores.books.transactions(column).map(\.seats) == [1])
                // Nobody left, and nothing ended.
                #expect(stores.books.churned(column, from: "2026-01-21", through: "2026-01-21") == Books.quiet("01-21"))
            }
            #expect(stores.books.states(.disclosed) == ["active"])
        }
    }

    /// The added two on 20 January, or the three that they were added to: the others run on, and so does the customer.
    @Test(arguments: [true, false])
    func `a row of a period that was given back whole leaves the others`(isAddition: Bool) async throws {
        let at = instant("2026-01-20T00:00:00Z")
        var life = Self.group()
        life.periods = Array(life.periods.prefix(2))
        life.periods[isAddition ? 1 : 0].refund = Refund(at: at, extent: .full)
        try await withStores(Paper.customers(life), clock: "2026-01-25T00:00:00Z") { stores, client in
            let entry = try #require(try await client.statuses(Self.first).entries.first)
            #expect(entry["status"] as? Int == 1)
            // The newest of them is listed, given back or not.
            let listed = payload(try #require(entry["signedTransactionInfo"] as? String))
            #expect((listed["revocationDate"] != nil) == isAddition)
            #expect(listed["additionalTransactionReason"] as? String == "SEAT_ADDITION")
            try await client.wholeHistory(Self.first)
            #expect(stores.books.states(.disclosed) == ["active"])
            for column in BookColumn.allCases {
                let metrics = stores.books.metrics(column)
                let rows = metrics.bridge(through: "2026-01-24").filter { !$0.movements.isEmpty }
                let given = isAddition ? Int64(8_000_000) : 27_970_000
                #expect(
                    rows.sorted { $0.date < $1.date }.map(\.movements) == [
                        ["new": 27_970_000], ["expansion": 8_000_000], ["contraction": -given],
                    ])
                #expect(rows.map(\.date).max() == "2026-01-20")
                #expect(
                    stores.books.churned(column, from: "2026-01-20", through: "2026-01-20") == Books.quiet("01-20"))
            }
        }
        // The rest three days later: that is the end.
        life.periods[isAddition ? 0 : 1].refund = Refund(at: at + 3 * CivilTime.day, extent: .full)
        let rows = Paper.books(life, at: "2026-01-25T00:00:00Z").metrics(.happened).bridge(through: "2026-01-24")
        #expect(
            rows.first { $0.date == "2026-01-23" }?.movements == [
                "churn_refund": isAddition ? -27_970_000 : -8_000_000
            ])
    }

    /// Its documents name upgrades and revocations as what moves a row behind a reader's place in the history.
    @Test func `a refund that is taken back and seats given back are in no history from its cursor`() async throws {
        var life = Self.givingBack(("2026-01-15T00:00:00Z", 1))
        life.periods[0].refund = Refund(at: instant("2026-01-18T00:00:00Z"), extent: .full)
        life.periods[0].refundChanges = [.init(at: instant("2026-01-20T00:00:00Z"), nil)]
        try await withStores(Paper.customers(life), clock: "2026-01-10T00:00:00Z") { stores, client in
            var revision = try await client.history(Self.first).revision
            for (now, count) in [
                ("2026-01-16T00:00:00Z", 0), ("2026-01-19T00:00:00Z", 1), ("2026-01-21T00:00:00Z", 0),
            ] {
                stores.setClock(instant(now))
                let page = try await client.history(Self.first, revision: revision)
                #expect(page.transactions.count == count, "\(now)")
                revision = page.revision ?? revision
            }
            #expect(try await client.history(Self.first).transactions.count == 1)
        }
    }

    /// Where the app is notified the notification's own instant is the refund's.
    @Test func `a notification dates seats given back`() async throws {
        let app = SimulatedApp.server(id: "acme-ios", bundleID: "com.acme.app", hasNotificationURL: true)
        let customers = Paper.customers(Self.givingBack(("2026-01-15T08:00:00Z", 1)), app: app)
        try await withStores(customers, apps: [app], clock: "2026-01-16T00:00:00Z") { stores, client in
            let window = "{\"startDate\":\(instant("2026-01-14T00:00:00Z") / 1_000),\"endDate\":1768600000000}"
            #expect(try await client.notifications(window).noticeTypes == ["REFUND/SEATS"])
            _ = try await client.history(Self.first)
            #expect(stores.books.told.map(\.refundedAt) == [instant("2026-01-15T08:00:00Z")])
        }
    }

    /// A member has access and a row with the tiers of all; money, churn and subscribers know nothing of them.
    @Test func `a member has access and nothing else`() async throws {
        let life = Paper.life(Self.seats(Paper.january(), Self.three), ownership: .assigned)
        try await withStores(Paper.customers(life), clock: "2026-01-20T00:00:00Z") { stores, client in
            let row = try #require(try await client.history(Self.first).transactions.first)
            #expect(row["inAppOwnershipType"] as? String == "ASSIGNED" && row["quantity"] as? Int == 3)
            _ = try await client.statuses(Self.first)
            for column in BookColumn.allCases {
                let (books, metrics) = (stores.books, stores.books.metrics(column))
                #expect(books.transactions(column).map(\.ownership) == [.assigned])
                #expect(books.transactions(column).map(\.seats) == [nil])
                #expect(books.sold(column, through: "2026-01-19").isEmpty)
                #expect(books.churn(column, through: "2026-01-19").isEmpty)
                #expect(metrics.subscribers(on: "2026-01-19").isEmpty && metrics.bridge(through: "2026-01-19").isEmpty)
                #expect(
                    metrics.exclusions(through: "2026-01-19") == [
                        MetricRow(["date": "2026-01-01", "app_id": "acme-ios", "reason": "assigned"], ["rows": 1])
                    ])
            }
            #expect(stores.books.access().map(\.reason) == [.active])
        }
    }
}
