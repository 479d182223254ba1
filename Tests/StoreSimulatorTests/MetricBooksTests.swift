// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// The metrics of lives that were worked out on paper first: recurring revenue, and who stands where.
@Suite struct MetricBooksTests {
    @Test func `a trial counts at its conversion, by what a month of its price is worth`() {
        let paid = Paper.period(2, "2026-01-08T10:00:00Z", "2026-02-08T10:00:00Z")
        let books = Paper.books(Paper.life(Paper.trial(), paid), at: "2026-01-11T00:00:00Z")
        #expect(
            books.bridged(through: "2026-01-10") == [
                "01-08 monthly 0 new 7990000 = 7990000", "01-09 monthly 7990000 = 7990000",
                "01-10 monthly 7990000 = 7990000",
            ])
    }

    /// 7.99 × 30.4375 ÷ 19 = 12.799769…, ÷ 33 = 7.369564…; 28 days are a month; a day more than three months is three.
    @Test(
        arguments: [
            ("2026-01-20T10:00:00Z", 12_799_770), ("2026-02-03T10:00:00Z", 7_369_564),
            ("2026-01-29T10:00:00Z", 7_990_000),
            ("2026-04-02T11:00:00Z", 2_663_333),
        ] as [(String, Int64)])
    func `without a list of products the dates say how long a period is`(end: String, monthly: Int64) {
        let life = Paper.life(Paper.period(1, "2026-01-01T10:00:00Z", end, reason: .purchase))
        let books = Paper.books(life, at: "2026-01-03T00:00:00Z")
        #expect(books.metrics(.happened).bridge(through: "2026-01-01").figures("closing") == [monthly])
        #expect(
            books.metrics(.happened, lengths: .catalogue).bridge(through: "2026-01-01").figures("closing") == [
                7_990_000
            ])
    }

    @Test func `a free period between paid ones moves out and in; nobody left and nobody paused`() {
        let march = Paper.period(3, "2026-03-01T10:00:00Z", "2026-04-01T10:00:00Z")
        let life = Paper.life(Paper.january(), Paper.february().with { $0.priceMilliunits = 0 }, march)
        let rows = Paper.books(life, at: "2026-03-02T00:00:00Z").bridged(through: "2026-03-01")
        #expect(
            rows.suffix(2) == [
                "02-01 monthly 7990000 moved_out -7990000 = 0", "03-01 monthly 0 moved_in 7990000 = 7990000",
            ])
    }

    @Test func `who stopped the renewal is active, set to cancel, and at risk with all of the month`() {
        var life = Paper.life(Paper.january())
        life.autoRenew = [.init(at: instant("2026-01-20T10:00:00Z"), false)]
        let books = Paper.books(life, at: "2026-01-25T02:00:00Z")
        #expect(books.stood(on: "2026-01-24") == ["monthly active 1 set_to_cancel 1"])
        #expect(books.risked(on: "2026-01-24") == ["monthly set_to_cancel 1 7990000 USD"])
    }

    @Test func `grace is active and at risk, retry only awaited`() {
        let end = instant("2026-02-01T10:00:00Z")
        let trouble = Ending.BillingTrouble(
            graceEndsAt: end + 6 * CivilTime.day, outcome: .givenUp(at: end + 60 * CivilTime.day))
        let life = Paper.life(Paper.january().with { $0.ending = .billing(trouble) })
        #expect(Paper.books(life, at: "2026-02-04T02:00:00Z").stood(on: "2026-02-03") == ["monthly active 1 grace 1"])
        let books = Paper.books(life, at: "2026-02-09T02:00:00Z")
        #expect(books.stood(on: "2026-02-08") == ["monthly billing_retry 1"])
        #expect(books.risked(on: "2026-02-08") == ["monthly billing_retry 1 7990000 USD"])
        // Nobody asked while the grace lasted, and the store does not tell of it afterwards.
        #expect(books.bridged(through: "2026-02-08").last == "02-01 monthly 7990000 lapsed -7990000 = 0")
    }

    @Test func `trials and family members stand apart`() {
        let trial = Paper.books(Paper.life(Paper.trial()), at: "2026-01-03T02:00:00Z")
        #expect(trial.stood(on: "2026-01-02") == ["monthly trial 1"])
        let shared = Paper.books(Paper.life(Paper.january(), ownership: .familyShared), at: "2026-01-03T02:00:00Z")
        #expect(shared.stood(on: "2026-01-02") == ["monthly family_shared 1"])
        #expect(shared.metrics(.happened).datedSubscribers(through: "2026-01-02").count == 2)
    }

    @Test func `past the paid time without a word is active and unread`() {
        let books = Paper.books(Paper.life(Paper.january()), at: "2026-02-03T02:00:00Z")
        #expect(books.stood(on: "2026-01-31") == ["monthly active 1"])
        #expect(books.stood(on: "2026-02-02") == ["monthly active 1 unread 1"])
    }

    @Test func `a pause leaves and is recovered; tax and proceeds are the store's own`() {
        let march = PlayPaper.order(0, "2026-03-10T10:00:00Z", "2026-03-10T10:00:00Z", "2026-04-10T10:00:00Z")
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [PlayPaper.january, march],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z"),
                    PlayPaper.moment(
                        .paused, "2026-02-01T10:00:00Z", until: "2026-02-01T10:00:00Z", resumes: "2026-04-01T10:00:00Z"),
                    PlayPaper.moment(.active, "2026-03-10T10:00:00Z", until: "2026-04-10T10:00:00Z", order: march),
                ]))
        let paused = backend.books(at: "2026-02-03T02:00:00Z")
        #expect(paused.bridged(through: "2026-02-02").last == "02-01 monthly 8400000 paused -8400000 = 0")
        #expect(paused.stood(on: "2026-02-02") == ["monthly paused 1"])
        let january = paused.metrics(.happened).months(through: "2026-02-02").first { $0.month == "2026-01" }
        #expect(january?["closing_mrr"] == 8_400_000 && january?["arr"] == 100_800_000)
        #expect(january?["closing_mrr_net_of_tax"] == 7_060_000 && january?["closing_mrr_proceeds"] == 6_000_000)
    }
}

extension Books {
    /// The bridge in one line a row: opening, movements, closing.
    func bridged(_ column: BookColumn = .happened, through last: String) -> [String] {
        metrics(column).bridge(through: last).map { row in
            let moved = row.texts(except: "opening", "closing").sorted()
            let (opening, closing) = (row["opening"] ?? -1, row["closing"] ?? -1)
            return (["\(row.date.dropFirst(5))", row.product, "\(opening)"] + moved + ["=", "\(closing)"])
                .joined(separator: " ")
        }
    }

    func stood(_ column: BookColumn = .happened, on date: String) -> [String] {
        metrics(column).subscribers(on: date).map { row in
            ([row.product] + row.texts(except: "seats").sorted()).joined(separator: " ")
        }.sorted()
    }

    func risked(_ column: BookColumn = .happened, on date: String) -> [String] {
        metrics(column).atRisk(on: date).map { row in
            let figures = ["subscriptions", "mrr"].map { "\(row[$0] ?? -1)" }
            return ([row.product, row.words["state"] ?? "-"] + figures + [row.words["currency"] ?? "-"])
                .joined(separator: " ")
        }.sorted()
    }
}
