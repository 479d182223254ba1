// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// One product sold by the month and by the year: a change of its base plan is a change of plan.
///
/// On paper.
@Suite struct PlayBasePlanTests {
    private static let second = "GPA.5555-6666-7777-88888"
    private static let month = PlayPaper.order(
        nil, "2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z", "2026-02-01T10:00:00Z", product: .plusMonthly,
        total: 1_260, tax: 201, revenue: 900)
    /// What is left of January, for nothing; then the year.
    private static let rest: PlayOrder = {
        var order = PlayPaper.order(
            nil, "2026-01-16T10:00:00Z", "2026-01-16T10:00:00Z", "2026-02-01T10:00:00Z", base: second,
            product: .plusYearly, phase: .proration, total: 0, tax: 0, revenue: nil)
        order.lines[0].listMicros = 126_000_000
        return order
    }()
    private static let year = PlayPaper.order(
        0, "2026-02-01T08:00:00Z", "2026-02-01T10:00:00Z", "2027-02-01T10:00:00Z", base: second, product: .plusYearly,
        total: 12_600, tax: 2_011, revenue: 9_000)

    private static func backend() -> PlayBackend {
        PlayPaper.backend(
            PlayPaper.token(
                "token-1", [month],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z", order: month),
                    PlayPaper.moment(
                        .expired, "2026-01-16T10:00:00Z", until: "2026-01-16T10:00:00Z", renews: false, order: month,
                        by: .replacement),
                ]),
            PlayPaper.token(
                "token-2", linkedTo: "token-1", [rest, year],
                [
                    PlayPaper.moment(.active, "2026-01-16T10:00:00Z", until: "2026-02-01T10:00:00Z", order: rest),
                    PlayPaper.moment(.active, "2026-02-01T08:00:00Z", until: "2027-02-01T10:00:00Z", order: year),
                ]
            ) { $0.replacement = PlayReplacement(mode: .withoutProration, product: .plusMonthly) })
    }

    @Test func `B7: two base plans of one product are one product id, told apart by the plan's`() throws {
        let backend = Self.backend()
        let item = (try backend.ask("token-2", at: "2026-01-20T00:00:00Z")["lineItems"] as? [[String: Any]])?.first
        #expect(item?["productId"] as? String == "com.acme.app.plus")
        #expect((item?["offerDetails"] as? [String: Any])?["basePlanId"] as? String == "p1y")
        let replaced = item?["itemReplacement"] as? [String: String]
        #expect(replaced?["productId"] == "com.acme.app.plus")
        #expect(replaced?["basePlanId"] == "p1m")
        let order = try backend.order(
            PlayPaper.base, PlayPaper.app, at: instant("2026-01-20T00:00:00Z"), isReported: false)
        let line = (order.object["lineItems"] as? [[String: Any]])?.first
        #expect(line?["productId"] as? String == "com.acme.app.plus")
        #expect((line?["subscriptionDetails"] as? [String: Any])?["basePlanId"] as? String == "p1m")
    }

    /// 12.60 a month, 126.00 a year: with the list 12.60, then 10.50 from the 16th on; the customer is there all along.
    @Test func `B7: a change between base plans is no renewal, and its order of nothing leaves nobody out`() {
        let books = Self.backend().books(at: "2026-02-05T00:00:00Z")
        #expect(
            books.playRows() == [
                "purchase 12600000/2010000/9000000 upgraded", "crossgrade 0/0/-",
                "..0 renewal 126000000/20110000/90000000",
            ])
        #expect(
            books.transactions(.happened).sorted { $0.periodStart < $1.periodStart }.map(\.basePlanID) == [
                "p1m", "p1y", "p1y",
            ])
        #expect(books.playChurn(through: "2026-01-20") == ["2026-01-20 plus opening 1"])
        #expect(books.playChurn(through: "2026-02-04") == ["2026-02-04 plus opening 1"])
        let bridge = books.metrics(.happened, lengths: .catalogue).bridge(through: "2026-02-02")
        let closings = ["2026-01-10", "2026-01-20", "2026-02-01"].map { day in
            bridge.filter { $0.date == day }.figures("closing")
        }
        #expect(closings == [[12_600_000], [10_500_000], [10_500_000]])
    }

    /// January's month ran to the change: a change of plan, not a renewal.
    ///
    /// The rest of it ran to its end and was renewed.
    @Test func `B7: the month's figures count a change of base plan as a change of plan`() {
        let months = Self.backend().books(at: "2026-02-05T00:00:00Z").metrics(.happened).months(through: "2026-02-04")
            .sorted { $0.month < $1.month }
        #expect(months.map(\.month) == ["2026-01", "2026-02"])
        #expect(months.figures("plan_changes") == [1, 0])
        #expect(months.figures("due") == [0, 1])
        #expect(months.figures("renewed") == [0, 1])
    }

    /// 12.60 a month against 126.00 ÷ 12 = 10.50.
    @Test func `the year is worth less a month than the month`() {
        let year = PlayPaper.order(
            nil, "2026-01-16T10:00:00Z", "2026-01-16T10:00:00Z", "2027-01-30T10:00:00Z", base: Self.second,
            product: .plusYearly, total: 12_600, tax: 2_011, revenue: 9_000)
        let backend = PlayPaper.backend(
            PlayPaper.token("token-1", [Self.month], Self.backend().customers[0].tokens[0].moments),
            PlayPaper.token(
                "token-2", linkedTo: "token-1", [year],
                [PlayPaper.moment(.active, "2026-01-16T10:00:00Z", until: "2027-01-30T10:00:00Z", order: year)]))
        #expect(backend.books(at: "2026-01-20T00:00:00Z").playRows().last == "downgrade 126000000/20110000/90000000")
    }

    @Test func `the list of products names the base plans of what has several`() {
        let markets = Market.ofPlay.map { ($0.playPrice(of: .plusMonthly), $0.playPrice(of: .plusYearly)) }
        #expect(markets.allSatisfy { $0.0 > 0 && $0.0 * 10 == $0.1 })
        let several = Product.allCases.filter(\.isOneOfSeveralPlans)
        #expect(several.map { $0.identifier(in: "a") } == ["a.plus", "a.plus"])
        #expect(several.map(\.basePlanID) == ["p1m", "p1y"])
        #expect(several.map(\.term.iso8601) == ["P1M", "P1Y"])
    }
}
