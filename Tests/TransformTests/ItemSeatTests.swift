// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing
import Transform

/// A group of ten seats with two courses from day 0 to day 30, and five more seats of both from day 15 on: four rows of one period.
@Suite("Items of a group whose period has several rows")
struct ItemSeatTests {
    private static let courses = [("art", Int64(30_000_000)), ("math", 80_000_000)]

    /// `takenBack`: the day on which each row was, by its transaction and its course, without money.
    private static func rows(takenBack: [String: Int64], refunded: Set<String> = []) -> [ObservedPeriod] {
        [("A", Int64(0)), ("B", 15)].flatMap { id, start in
            courses.map { course, price in
                var row = period(
                    start, days: 30 - start, id: id, product: course, price: price,
                    version: day(takenBack.isEmpty ? 16 : 31))
                row.facts.periodKey = "W1"
                row.isAdditional = true
                row.facts.seats = id == "A" ? 10 : 5
                if let cut = takenBack["\(id) \(course)"] {
                    let isRefunded = refunded.contains("\(id) \(course)")
                    row.facts.seats = 0
                    row.refund = ObservedPeriod.Refund(
                        at: day(cut), kind: isRefunded ? .full : .revoke, micros: isRefunded ? price : nil)
                }
                return row
            }
        }
    }

    /// The period is over by the thirty-first night, and the statuses say no more than that.
    private static func ended(takenBack: [String: Int64], refunded: Set<String> = []) -> SubscriptionSnapshot {
        var books = Books()
        books.book(rows(takenBack: [:]), status(.active, expires: 30, version: day(16)), now: day(16))
        books.book(
            rows(takenBack: takenBack, refunded: refunded),
            status(.expired, expires: 30, reason: .voluntary, version: day(31)), now: day(31))
        return books.snapshot
    }

    /// RULINGS §5: the end is a refund's when every row was taken back.
    @Test(
        arguments: [
            ["A math": 20, "B math": 24], ["A art": 20, "B art": 24], ["A art": 20, "A math": 20, "B math": 24],
        ]
            as [[String: Int64]])
    func `a course that the group owns until the expiry makes that the end`(takenBack: [String: Int64]) {
        let ended = Self.ended(takenBack: takenBack)
        #expect(ended.state == .expired && ended.endReason == .voluntary)
        #expect(ended.endedAt == day(30))
    }

    /// The art of the first ten seats was the last.
    @Test(arguments: [[], ["B art"]] as [Set<String>])
    func `rows that were all taken back end their period with the last, whichever course that is`(refunded: Set<String>)
    {
        let ended = Self.ended(
            takenBack: ["A math": 20, "B math": 24, "A art": 26, "B art": 22], refunded: refunded)
        #expect(ended.state == .revoked && ended.endedAt == day(26))
        #expect(ended.endReason == (refunded.isEmpty ? .revoke : .refund))
    }
}
