// SPDX-License-Identifier: Apache-2.0

import Imports
import Load
import Model
import Postgres
import TestSupport
import Testing

/// A list price is what one period costs: which line a sale takes by the length it was sold for.
@Suite struct ListLengthTests {
    /// A sale, and the price that it takes; nil: none.
    struct Case: Sendable {
        let what: String
        var product = "gold"
        var plan: String?
        var country = "DE"
        var kind = "renewal"
        let from: String
        let to: String?
        let price: Int64?
    }

    /// gold is listed for a month in the catalogue, annual for a year, fourweeks for four weeks, played by base plans; silent is not.
    private static let lists = """
        insert into subledger.products (app_id, product_id, base_plan_id, period, recorded_run_id) values
            ('acme-ios', 'gold', '', 'P1M', 1), ('acme-ios', 'annual', '', 'P12M', 1), ('acme-ios', 'fourweeks', '', 'P4W', 1),
            ('acme-ios', 'played', 'monthly', 'P1M', 1), ('acme-ios', 'played', 'yearly', 'P1Y', 1);
        insert into subledger.prices (
            app_id, product_id, base_plan_id, period, country, currency, price_micros, valid_from, recorded_run_id)
        values
            ('acme-ios', 'gold', '', '', '', 'EUR', 10, '-infinity', 1),
            ('acme-ios', 'gold', '', 'P3M', '', 'EUR', 27, '-infinity', 1),
            ('acme-ios', 'annual', '', '', '', 'EUR', 100, '-infinity', 1),
            ('acme-ios', 'annual', '', 'P1M', 'FR', 'EUR', 11, '-infinity', 1),
            ('acme-ios', 'annual', '', 'P1Y', 'FR', 'EUR', 90, '-infinity', 1),
            ('acme-ios', 'fourweeks', '', '', '', 'EUR', 8, '-infinity', 1),
            ('acme-ios', 'fourweeks', '', 'P28D', 'FR', 'EUR', 7, '-infinity', 1),
            ('acme-ios', 'silent', '', '', '', 'EUR', 5, '-infinity', 1),
            ('acme-ios', 'silent', '', 'P1W', '', 'EUR', 2, '-infinity', 1),
            ('acme-ios', 'silent', '', 'P1M', '', 'EUR', 6, '-infinity', 1),
            ('acme-ios', 'weekly', '', 'P7D', '', 'EUR', 3, '-infinity', 1),
            ('acme-ios', 'played', '', 'P1Y', 'DE', 'EUR', 70, '-infinity', 1),
            ('acme-ios', 'played', 'yearly', '', '', 'EUR', 60, '-infinity', 1),
            ('acme-ios', 'coins', '', '', '', 'EUR', 4, '-infinity', 1),
            ('acme-ios', 'gems', '', 'P1M', '', 'EUR', 4, '-infinity', 1)
        """

    private static let cases = [
        Case(what: "a month", from: "2026-01-05", to: "2026-02-05", price: 10),
        Case(what: "a month's end", from: "2026-01-31", to: "2026-02-28", price: 10),
        Case(what: "renewed a day early", from: "2026-01-04", to: "2026-02-05", price: 10),
        Case(what: "paid within the grace", from: "2026-01-20", to: "2026-02-05", price: 10),
        Case(what: "first seen extended", from: "2026-01-05", to: "2026-02-25", price: 10),
        Case(what: "a year", product: "annual", from: "2026-01-05", to: "2027-01-05", price: 100),
        Case(what: "a year paid by the month", product: "annual", from: "2026-01-05", to: "2026-02-05", price: nil),
        Case(
            what: "listed by the month", product: "annual", country: "FR", from: "2026-01-05", to: "2026-02-05",
            price: 11),
        Case(
            what: "a month of it paid within the grace", product: "annual", country: "FR", from: "2026-01-20",
            to: "2026-02-10",
            price: 11),
        Case(
            what: "a yearly plan's first period after a change of plan", product: "played", plan: "yearly",
            kind: "upgrade",
            from: "2026-03-01", to: "2026-03-31", price: 60),
        Case(what: "P12M is P1Y", product: "annual", country: "FR", from: "2026-01-05", to: "2027-01-05", price: 90),
        Case(what: "four weeks", product: "fourweeks", from: "2026-01-05", to: "2026-02-02", price: 8),
        Case(what: "P28D is P4W", product: "fourweeks", country: "FR", from: "2026-01-05", to: "2026-02-02", price: 7),
        Case(
            what: "no catalogue: 28 days are a month", product: "silent", from: "2026-01-05", to: "2026-02-02", price: 6
        ),
        Case(what: "no catalogue: a week", product: "silent", from: "2026-01-05", to: "2026-01-12", price: 2),
        Case(what: "no catalogue: any other", product: "silent", from: "2026-01-05", to: "2026-03-05", price: 5),
        Case(what: "P7D is P1W", product: "weekly", from: "2026-01-05", to: "2026-01-12", price: 3),
        Case(what: "no line of its length", product: "weekly", from: "2026-01-05", to: "2026-02-05", price: nil),
        Case(
            what: "the base plan's own before the length", product: "played", plan: "yearly", from: "2026-01-05",
            to: "2027-01-05", price: 60),
        Case(
            what: "a base plan without a line", product: "played", plan: "monthly", from: "2026-01-05",
            to: "2026-02-05",
            price: nil),
        Case(what: "a one-time sale", product: "coins", kind: "one_time", from: "2026-01-05", to: nil, price: 4),
        Case(
            what: "a one-time sale has no length", product: "gems", kind: "one_time", from: "2026-01-05", to: nil,
            price: nil),
    ]

    @Test func `a sale takes the line of the length that it was sold for`() async throws {
        try await LoadWorld.with { world in
            try await world.connection.script(Self.lists)
            for sale in Self.cases {
                let found = try await world.connection.lines(
                    """
                    select price_micros
                    from subledger.list_price(
                        'acme-ios', '\(sale.plan == nil ? "app_store" : "google_play")', '\(sale.product)', \(sale.plan.map { "'\($0)'" } ?? "null"), '\(sale.country)', '\(sale.kind)',
                        '\(sale.from) 12:00Z', '\(sale.from) 12:00Z', \(sale.to.map { "'\($0) 12:00Z'" } ?? "null"))
                    """)
                #expect(found == (sale.price.map { [String($0)] } ?? []), "\(sale.what)")
            }
        }
    }

    /// A month of the product of a year, in a receipt: bought on 1 March 2026.
    private static func month(_ change: (inout CanonicalTransaction) -> Void = { _ in }) -> ChunkRows {
        LoadWorld.period(signed: 0) { row in
            (row.facts.priceMicros, row.facts.currency, row.sale.priceSource) = (nil, nil, .missing)
            change(&row)
        }
    }

    private static func learn(_ world: LoadWorld, run: Int64, _ statement: String) async throws -> Int {
        let now = LoadWorld.march + .days(run)
        try await world.open(run, at: now)
        try await world.connection.script(statement)
        return try await world.connection.withTransaction { connection in
            try await ListPricing(connection: connection).price([LoadWorld.app], run: run, now: now)
        }
    }

    private static func price(_ micros: String, period: String = "", run: Int64) -> String {
        """
        insert into subledger.prices (app_id, product_id, period, currency, price_micros, recorded_run_id)
        values ('acme-ios', 'monthly', '\(period)', 'EUR', \(micros), \(run))
        """
    }

    private static let entries = """
        select seq, kind, corrects, amount_micros, source, to_char(occurred_at at time zone 'UTC', 'MM-DD'), run_id
        from subledger.ledger_entries order by seq
        """

    @Test func `a catalogue that arrives later takes back what a year's price was booked for, and a month's comes`()
        async throws
    {
        try await LoadWorld.with { world in
            try await world.night(1, Self.month())
            #expect(try await Self.learn(world, run: 2, Self.price("100000000", run: 2)) == 1)
            let catalogue = """
                insert into subledger.products (app_id, product_id, period, recorded_run_id)
                values ('acme-ios', 'monthly', 'P1Y', 3)
                """
            #expect(try await Self.learn(world, run: 3, catalogue) == 1)
            let row = "select price_micros, currency, price_source from subledger.transactions"
            #expect(try await world.connection.lines(row) == ["||missing"])
            #expect(try await world.night(4, Self.month()) == 0, "the store reports no price still")
            #expect(try await Self.learn(world, run: 5, Self.price("11000000", period: "P1M", run: 5)) == 1)
            #expect(try await world.connection.lines(row) == ["11000000|EUR|price_list"])
            #expect(
                try await world.connection.lines(Self.entries) == [
                    "1|charge||100000000|price_list|03-01|2", "2|correction|1|-100000000|price_list|03-01|3",
                    "3|correction|2|11000000|price_list|03-01|5",
                ])
            #expect(try await Self.learn(world, run: 6, "select 1") == 0, "nothing twice")
        }
    }

    @Test func `a line that is taken back takes a refund back with it, each on its own day`() async throws {
        try await LoadWorld.with { world in
            let refunded = Self.month { row in
                (row.refund.refundedAt, row.refund.refundKind) = (LoadWorld.march + .days(5), .full)
            }
            try await world.connection.script(Self.price("10000000", run: 100))
            try await world.night(1, refunded)
            #expect(try await Self.learn(world, run: 2, Self.price("null", run: 200)) == 1)
            #expect(
                try await world.connection.lines(Self.entries) == [
                    "1|charge||10000000|price_list|03-01|1", "2|refund||-10000000|price_list|03-06|1",
                    "3|correction|1|-10000000|price_list|03-01|2", "4|refund_reversal||10000000|price_list|03-06|2",
                ])
            #expect(
                try await world.connection.lines(
                    "select price_micros, price_source, refund_micros from subledger.transactions") == ["|missing|"])
        }
    }

    @Test func `a row of an offer takes no list price`() async throws {
        try await LoadWorld.with { world in
            try await world.connection.script(Self.price("10000000", run: 100))
            try await world.night(1, Self.month { $0.facts.offerID = "spring" })
            #expect(try await world.connection.lines("select price_source from subledger.transactions") == ["missing"])
        }
    }
}
