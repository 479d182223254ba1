// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Stores
import TestSupport
import Testing
import Transform

@testable import AppStore

/// A group of ten seats with two courses, night after night: seats are given back, then one of the courses is taken back.
///
/// 11.90 EUR a seat, 8.33 and 3.57: 83.30 and 35.70 of 119.00. Two seats on the 5th are 23.80: 16.66 and 7.14.
@Suite struct BookedSeatRefundTests {
    /// What the store says on a day of March.
    private struct Answer {
        var day: Int64
        var givenBackSeats: Int
        /// Of the cheaper course: on the 10th it is taken back, for so many milliunits; 0: for what is left of it.
        var takenBackFor: Int?
        var isTakenBack = false
    }

    private static func row(_ answer: Answer) -> [String: Any] {
        let tenth = AppleNights.day(9).milliseconds
        var art: [String: Any] = ["SKU": "art", "displayName": "a course", "price": 3_570]
        if answer.isTakenBack { art["revocationDate"] = tenth }
        if let amount = answer.takenBackFor {
            var refund: [String: any Sendable] = ["refundDate": tenth, "refundType": amount == 0 ? "FULL" : "CUSTOM"]
            if amount > 0 { refund["refundAmount"] = amount }
            art["refunds"] = [refund]
        }
        let math: [String: Any] = ["SKU": "math", "displayName": "a course", "price": 8_330]
        return Rows.transaction([
            "productId": "generic.sub", "price": 11_900, "quantity": 10,
            "signedDate": AppleNights.day(answer.day - 1).milliseconds,
            "multiSeatInfo": [
                "priceTiers": [["tierPrice": 11_900, "tierQuantity": 10]],
                "revokedSeatQuantity": answer.givenBackSeats,
            ] as [String: Any],
            "advancedCommerceInfo": ["items": [math, art], "period": "P1M"] as [String: Any],
        ])
    }

    /// Course by course what is booked after these answers, and on which day of March.
    private static func booked(_ answers: [Answer]) throws -> [String: [String]] {
        var known: [KnownPeriod] = []
        for answer in answers {
            let now = AppleNights.day(answer.day - 1)
            let store = UnwatchedStore(store: try Acme.configuration().store(clock: { now }))
            let document = StoreAnswer.Document(endpoint: "statuses", body: try Rows.statuses(row(answer)))
            let received = StoreAnswer(
                inquiry: Inquiry(subscriptions: [Acme.due(known: known)]), environment: .production,
                documents: [document], answeredAt: now)
            var rows = ChunkRows()
            TransformStage(store: store, now: now, defaultCountry: nil, levels: [:]).rows(
                for: ReadAnswer(received, by: store), into: &rows)
            known = rows.transactions.map(KnownPeriod.init)
        }
        return Dictionary(uniqueKeysWithValues: known.map { ($0.productID, steps(of: $0.refund)) })
    }

    private static func steps(of refund: RefundFacts) -> [String] {
        refund.steps.map { "\($0.micros / 10_000) on \((($0.at.milliseconds - Rows.march) / 86_400_000) + 1)" }
    }

    private static let two = Answer(day: 5, givenBackSeats: 2)

    /// It bore 7.14 of the 23.80 while it was owned; the other one bears no more than its 16.66.
    @Test func `what a course bore of the seats given back is not shared again once it is taken back`() throws {
        let takenBack = Answer(day: 11, givenBackSeats: 2, isTakenBack: true)
        var again = takenBack
        again.day = 12
        for answers in [[Self.two], [Self.two, takenBack], [Self.two, takenBack, again]] {
            #expect(try Self.booked(answers) == ["math": ["1666 on 5"], "art": ["714 on 5"]])
        }
    }

    /// 47.60 for four seats, less the 7.14: 40.46 of the course that is left, 23.80 of them on that day.
    @Test func `seats given back after a course was taken back are those of the other`() throws {
        let takenBack = Answer(day: 11, givenBackSeats: 2, isTakenBack: true)
        let four = Answer(day: 13, givenBackSeats: 4, isTakenBack: true)
        #expect(
            try Self.booked([Self.two, takenBack, four]) == ["math": ["1666 on 5", "2380 on 13"], "art": ["714 on 5"]])
    }

    /// 28.56 are left of the course's 35.70.
    ///
    /// Together 52.36 go back: the 66.64 that stay are eight seats of the other course.
    @Test(arguments: [0, 28_560, 35_700])
    func `a course that is taken back with its money is given back once`(milliunits: Int) throws {
        let takenBack = Answer(day: 11, givenBackSeats: 2, takenBackFor: milliunits, isTakenBack: true)
        var again = takenBack
        again.day = 12
        for answers in [[Self.two, takenBack], [Self.two, takenBack, again]] {
            #expect(try Self.booked(answers) == ["math": ["1666 on 5"], "art": ["714 on 5", "2856 on 10"]])
        }
    }

    /// All is read at once: which of the seats went back before the course is unknown.
    @Test func `where nothing was booked before, the seats given back are those of what is still owned`() throws {
        let takenBack = Answer(day: 11, givenBackSeats: 2, isTakenBack: true)
        #expect(try Self.booked([takenBack]) == ["math": ["2380 on 11"], "art": []])
    }

    /// Of 145.464 by these prices; of what is left without the first the other two would have 47.885073 and 21.514962.
    @Test func `what is booked stays to the micro when an item is taken back`() throws {
        let names = ["a", "b", "c"]
        let shares: [Int64] = [76_063_965, 47_885_072, 21_514_963]
        let items = names.map { name in
            var item: [String: Any] = ["SKU": name]
            if name == "a" { item["revocationDate"] = AppleNights.day(9).milliseconds }
            return item
        }
        let document = StoreAnswer.Document(endpoint: "statuses", body: try Rows.json(["items": items]))
        let commerce: AdvancedCommerce = try #require(document.read())
        let known = zip(names, shares).map { name, share in
            var facts = Acme.known(product: name).facts
            facts.seats = 8
            return KnownPeriod(
                facts, kind: .purchase, refund: RefundFacts(at: AppleNights.day(4), kind: .partial, micros: share))
        }
        let booked = BookedSeatRefunds(known, of: commerce.named)
        #expect(booked.shares(of: 145_464_000, by: [95_079_955, 59_856_341, 26_893_704]) == [0] + shares.dropFirst())
        #expect(names.indices.map(booked.staying) == [76_063_965, 0, 0])
    }
}
