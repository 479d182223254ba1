// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// Several items of one transaction: 7.99 + 3.00 + 2.00 = 12.99 for January, and 7.99 + 3.00 = 10.99 for February.
@Suite struct CommerceItemTests {
    private static let first = "100000000000001"
    private static let sports = "com.acme.app.sports"
    private static let travel = "com.acme.app.travel"

    private static func day(_ number: Int) -> Int64 {
        instant("2026-01-01T10:00:00Z") + Int64(number - 1) * CivilTime.day
    }

    private static func sold(_ period: Period, _ besides: [Commerce.Item]) -> Period {
        period.with {
            $0.priceMilliunits = 7_990 + besides.compactMap(\.priceMilliunits).reduce(0, +)
            $0.commerce = Commerce(genericProductID: "com.acme.app.generic")
            $0.commerce?.besides = besides
        }
    }

    /// January of three items, changed.
    private static func january(_ change: (inout Commerce) -> Void = { _ in }) -> Period {
        sold(
            Paper.january(),
            [.init(sports, priceMilliunits: 3_000), .init(travel, priceMilliunits: 2_000)]
        ).with { period in
            guard var commerce = period.commerce else { return }
            change(&commerce)
            period.commerce = commerce
        }
    }

    /// 1.50 of the first item on the fifth and 0.50 on the twelfth; 1.00 of the second on the eighth; on the tenth the third is
    /// taken away with all its 2.00.
    private static func givenBack() -> Period {
        january { commerce in
            commerce.givenBack = [.init(at: day(5), 1_500), .init(at: day(12), 500)]
            commerce.besides[0].givenBack = [.init(at: day(8), 1_000, .prorated)]
            commerce.besides[1].givenBack = [.init(at: day(10), 2_000, .full)]
            commerce.besides[1].takenBackAt = day(10)
        }
    }

    private static func february() -> Period { sold(Paper.february(), [.init(sports, priceMilliunits: 3_000)]) }

    private static func lines(_ books: Books, _ column: BookColumn, through last: String) -> [String] {
        books.revenue(column, through: last).map { row in
            let figures = ["charges", "gross", "refunds", "refunded"].map { row[$0].map(String.init) ?? "-" }
            return ([row.date, row.product] + figures).joined(separator: " ")
        }
    }

    private static let sales = [
        "2026-01-01 monthly 1 7990000 0 0", "2026-01-01 sports 1 3000000 0 0", "2026-01-01 travel 1 2000000 0 0",
    ]

    @Test func `the row has the items' sum, and each item its own`() async throws {
        let life = Paper.life(Self.givenBack())
        try await withStores(Paper.customers(life), clock: "2026-01-15T00:00:00Z") { _, client in
            let row = try #require(try await client.history(Self.first).transactions.first)
            #expect(row["productId"] as? String == "com.acme.app.generic" && row["price"] as? Int == 12_990)
            #expect(row["revocationDate"] == nil)
            let info = try #require(row["advancedCommerceInfo"] as? [String: Any])
            let items = try #require(info["items"] as? [[String: Any]])
            #expect(items.map { $0["SKU"] as? String } == [Paper.monthly, Self.sports, Self.travel])
            #expect(items.map { $0["price"] as? Int } == [7_990, 3_000, 2_000])
            #expect(items.map { $0["revocationDate"] as? Int } == [nil, nil, Int(Self.day(10) / 1_000)])
            let refunds = items.map { $0["refunds"] as? [[String: Any]] ?? [] }
            #expect(refunds.map { $0.map { $0["refundAmount"] as? Int } } == [[1_500, 500], [1_000], [2_000]])
            #expect(
                refunds.map { $0.map { $0["refundType"] as? String } }
                    == [["CUSTOM", "CUSTOM"], ["PRORATED"], ["FULL"]])
            let days = refunds.map { $0.map { $0["refundDate"] as? Int } }
            #expect(days[0] == [5, 12].map { Int(Self.day($0) / 1_000) })
        }
    }

    /// Whoever asks once knows the same as one who asks all the time: each sum is of its own day.
    @Test(arguments: [[15], [6, 9, 11, 15]])
    func `each item is booked under its name, and each sum on its day`(asking days: [Int]) async throws {
        let life = Paper.life(Self.givenBack())
        try await withStores(Paper.customers(life), clock: "2026-01-02T00:00:00Z") { stores, client in
            for day in days {
                stores.setClock(Self.day(day))
                _ = try await client.history(Self.first)
                #expect(try await client.statuses(Self.first).statusByID == [Self.first: 1])
            }
            for column in BookColumn.allCases {
                #expect(
                    Self.lines(stores.books, column, through: "2026-01-14") == Self.sales + [
                        "2026-01-05 monthly 0 0 1 1500000", "2026-01-08 sports 0 0 1 1000000",
                        "2026-01-10 travel 0 0 1 2000000", "2026-01-12 monthly 0 0 1 500000",
                    ])
                Self.expectRows(stores.books.transactions(column).sorted { $0.productID < $1.productID })
                #expect(stores.books.derivedRefunds(column).isEmpty)
            }
        }
    }

    private static func expectRows(_ rows: [BookedTransaction]) {
        #expect(rows.map(\.productID) == [Paper.monthly, sports, travel])
        #expect(Set(rows.map(\.transactionID)) == [first] && Set(rows.map(\.periodKey)).count == 1)
        #expect(rows.map(\.priceMicros) == [7_990_000, 3_000_000, 2_000_000])
        #expect(rows.map(\.refundedAt) == [day(12), day(8), day(10)])
        #expect(rows.map(\.refundKind) == [.partial, .partial, .full])
        #expect(rows.map(\.refundMicros) == [2_000_000, 1_000_000, 2_000_000])
    }

    /// Three, then two; the renewal is for those two.
    @Test func `items are held until they are taken away`() async throws {
        let life = Paper.life(Self.givenBack())
        try await withStores(Paper.customers(life), clock: "2026-01-09T00:00:00Z") { stores, client in
            for (day, names) in [(9, [Paper.monthly, Self.sports, Self.travel]), (11, [Paper.monthly, Self.sports])] {
                stores.setClock(Self.day(day))
                let entry = try #require(try await client.statuses(Self.first).entries.first)
                let renewal = payload(entry["signedRenewalInfo"] as? String ?? "")
                #expect(renewal["renewalPrice"] as? Int == (day == 9 ? 12_990 : 10_990))
                let info = renewal["advancedCommerceInfo"] as? [String: Any]
                let renewing = info?["items"] as? [[String: Any]] ?? []
                #expect(renewing.map { $0["SKU"] as? String } == names)
                for column in BookColumn.allCases {
                    let booked = try #require(stores.books.subscriptions(column).first)
                    // What was taken away retains its row, to its instant.
                    let held = booked.items.filter { $0.revokedAt == nil }
                    #expect(booked.productID == Paper.monthly && held.map(\.productID) == names)
                    #expect(booked.items.count == 3 && held.allSatisfy(\.autoRenew))
                    #expect(
                        booked.items.allSatisfy {
                            $0.revokedAt == nil || ($0.revokedAt == Self.day(10) && !$0.autoRenew)
                        })
                    #expect(booked.items.allSatisfy { $0.latestTransactionID == Self.first })
                    #expect(booked.items.allSatisfy { $0.expiresAt == instant("2026-02-01T10:00:00Z") })
                }
            }
        }
    }

    /// 12.99 a month, then 10.99: what was given back of January changes nothing of what it was sold for.
    @Test func `items are one subscriber with one revenue`() {
        let books = Paper.books(Paper.life(Self.givenBack(), Self.february()), at: "2026-02-05T00:00:00Z")
        #expect(books.happened.filter { $0.kind == .purchase }.count == 3)
        #expect(
            books.happened.filter { $0.kind == .renewal }.map(\.productID).sorted() == [Paper.monthly, Self.sports])
        #expect(books.churned(from: "2026-01-10", through: "2026-01-12") == Books.quiet("01-10", "01-11", "01-12"))
        let rows = books.metrics(.happened).bridge(through: "2026-02-04").filter { !$0.movements.isEmpty }
            .sorted { $0.date < $1.date }
        #expect(rows.map(\.date) == ["2026-01-01", "2026-02-01"])
        #expect(rows.map(\.movements) == [["new": 12_990_000], ["contraction": -2_000_000]])
        #expect(rows.map(\.product) == ["monthly", "monthly"] && rows.last?["closing"] == 10_990_000)
    }

    /// The third item went on the fifth; on the tenth the rest goes, with 7.99 and 3.00.
    @Test func `a whole refund is one of every item that is left`() async throws {
        let life = Paper.life(
            Self.january { commerce in
                commerce.besides[1].givenBack = [.init(at: Self.day(5), 2_000, .full)]
                commerce.besides[1].takenBackAt = Self.day(5)
            }.with { $0.refund = Refund(at: Self.day(10), extent: .full, reason: 1) })
        try await withStores(Paper.customers(life), clock: "2026-01-15T00:00:00Z") { stores, client in
            _ = try await client.history(Self.first)
            #expect(try await client.statuses(Self.first).statusByID == [Self.first: 5])
            #expect(stores.books.states(.disclosed) == ["revoked refund"])
            for column in BookColumn.allCases {
                #expect(
                    Self.lines(stores.books, column, through: "2026-01-14") == Self.sales + [
                        "2026-01-05 travel 0 0 1 2000000", "2026-01-10 monthly 0 0 1 7990000",
                        "2026-01-10 sports 0 0 1 3000000",
                    ])
                #expect(
                    stores.books.subscriptions(column).flatMap(\.items).map(\.revokedAt)
                        == [Self.day(10), Self.day(10), Self.day(5)])
                #expect(
                    stores.books.churned(column, from: "2026-01-10", through: "2026-01-10")
                        == ["2026-01-10 monthly opening 1 churned 1 refund 1"])
            }
        }
    }

    @Test func `every sum is a notification of its own`() async throws {
        let app = SimulatedApp.server(id: "acme-ios", bundleID: "com.acme.app", hasNotificationURL: true)
        let customers = Paper.customers(Paper.life(Self.givenBack()), app: app)
        try await withStores(customers, apps: [app], clock: "2026-01-15T00:00:00Z") { _, client in
            let window = "{\"startDate\":\(Self.day(2) / 1_000),\"endDate\":\(Self.day(14) / 1_000)}"
            let told = try await client.notifications(window)
            #expect(told.noticeTypes == ["REFUND", "REFUND", "REFUND", "REFUND"])
            #expect(told.notices.map { $0["signedDate"] as? Int } == [5, 8, 10, 12].map { Int(Self.day($0) / 1_000) })
        }
    }

    /// Their customers come after everybody else: nobody's numbers moved when they were written.
    ///
    /// Of each app two with items, two with a code, two with retention offers, two with more time, two groups whose
    /// seats were refunded and two with a bundle.
    @Test func `lives that were written later come last`() throws {
        let apps = [Paper.app, .server(id: "acme-second", bundleID: "com.acme.second")]
        let begin = instant("2026-01-05T02:15:00Z")
        let lives = AppStorePopulation.lives(
            seed: 6, customersPerApp: 100, apps: apps,
            span: .init(firstNight: begin, horizon: begin + 75 * CivilTime.day))
        let areLater = lives.map { customer in
            customer.subscriptions.contains { life in
                life.includedIn != nil
                    || life.periods.contains { period in
                        period.commerce?.besides.isEmpty == false || period.extended != nil
                            || period.offer?.kind == .retention || period.offer?.identifier == "THANKS"
                            || (period.seats != nil && period.refund != nil)
                    }
            }
        }
        let place = try #require(areLater.firstIndex(of: true))
        #expect(areLater.count { $0 } == 24 && lives.count - place == 24)
    }
}
