// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

@testable import AppStore

@Suite struct HistoryNeedTests {
    private static let hour: Int64 = 3_600_000

    /// The latest transaction of an answer.
    private static func latest(
        _ id: String = "2003", key: String = "9003", product: String = "gold.month", at: Int64 = Rows.april
    ) -> HistoryNeed.Latest {
        HistoryNeed.Latest(
            transactionID: id, periodKey: key, productID: product, purchasedAt: Instant(milliseconds: at))
    }

    @Test func `a subscription that never answered is read from its beginning`() {
        let due = Acme.due(answeredBefore: false, known: [Acme.known()])
        #expect(HistoryNeed.of(due, latest: Self.latest("2002")) == .firstCheck)
    }

    @Test func `an audit wants it`() {
        let due = Acme.due(historyReach: .fromCursor, known: [Acme.known()])
        #expect(HistoryNeed.of(due, latest: Self.latest("2002")) == .wanted)
    }

    @Test func `without any known period it is read`() {
        #expect(HistoryNeed.of(Acme.due(), latest: Self.latest()) == .nothingKnown)
    }

    @Test func `an answer that does not contain the subscription's latest transaction is not enough`() {
        #expect(HistoryNeed.of(Acme.due(known: [Acme.known()]), latest: nil) == .notInAnswer)
    }

    /// We know March; the answer's latest transaction follows.
    @Test(
        arguments: [
            // The same, and the same under a restore's id.
            (latest("2002", key: "9002"), nil), (latest("8888", key: "9002"), nil),
            // April begins where March ends; up to a day later; a renewal a few hours early.
            (latest(), nil), (latest(at: Rows.april + 24 * hour), nil), (latest(at: Rows.april - 6 * hour), nil),
            // A downgrade begins at the end; something between may be missing a day later.
            (latest(product: "silver.month"), nil), (latest(at: Rows.april + 25 * hour), .gap),
            // An upgrade cuts March short, in the middle and in its last hours; so does the same product in the middle.
            (latest(product: "platinum.month", at: Rows.april - 200 * hour), .replaced),
            (latest(product: "platinum.month", at: Rows.april - hour), .replaced),
            (latest(at: Rows.april - 200 * hour), .replaced),
        ] as [(HistoryNeed.Latest, HistoryNeed?)])
    func `one call is enough when the latest transaction continues what we know`(
        latest: HistoryNeed.Latest, need: HistoryNeed?
    ) {
        #expect(HistoryNeed.of(Acme.due(known: [Acme.known()]), latest: latest) == need)
    }

    @Test func `a latest transaction older than the newest we know says that the newest has changed`() {
        let february = Acme.known("2001", periodKey: "9001", start: Rows.march - 28 * 24 * Self.hour, end: Rows.march)
        let due = Acme.due(known: [Acme.known(), february])
        #expect(HistoryNeed.of(due, latest: Self.latest("2001", key: "9001")) == .withdrawn)
    }

    /// The status shows one of the rows, whichever: the others may have been given back, and more may have been added.
    @Test func `a period of several transactions is read from the cursor at each check`() {
        let due = Acme.due(cursor: "r7", known: [Acme.known()])
        var latest = Self.latest("2002", key: "9002", at: Rows.march)
        #expect(HistoryNeed.of(due, latest: latest) == nil)
        latest.isOneOfSeveral = true
        #expect(HistoryNeed.of(due, latest: latest) == .severalRows)
        // We hold both, and the row does not say that it has another one beside it.
        let seats = ["2002", "2003"].map { id in
            var facts = Acme.known(id, periodKey: "9002").facts
            facts.seats = 5
            return KnownPeriod(facts, kind: .renewal)
        }
        latest.isOneOfSeveral = false
        #expect(HistoryNeed.of(Acme.due(known: seats), latest: latest) == .severalRows)
        #expect(HistoryNeed.of(Acme.due(known: [seats[0]]), latest: latest) == nil)
    }

    @Test func `in the sandbox's compressed time a pause of a day would hide periods`() {
        // Five minutes long; ten minutes after its end another two may lie between.
        let minute: Int64 = 60_000
        let short = Acme.known(start: Rows.march, end: Rows.march + 5 * minute)
        let due = Acme.due(known: [short])
        #expect(HistoryNeed.of(due, latest: Self.latest(at: Rows.march + 15 * minute)) == .gap)
        #expect(HistoryNeed.of(due, latest: Self.latest(at: Rows.march + 6 * minute)) == nil)
    }

    @Test func `one-time sales are no predecessors`() {
        let sale = KnownPeriod(
            PeriodFacts(
                transactionID: "7", periodKey: "7", productID: "coins", purchasedAt: Acme.now, start: Acme.now, end: nil
            ), kind: .oneTime)
        #expect(HistoryNeed.of(Acme.due(known: [sale]), latest: Self.latest()) == .nothingKnown)
    }
}
