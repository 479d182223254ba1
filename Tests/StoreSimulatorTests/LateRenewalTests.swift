// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// A receipt whose renewal is late says nothing but that it renews itself.
///
/// January runs to 1 February, 10:00.
@Suite struct LateRenewalTests {
    private static func late(_ start: String, _ end: String) -> SubscriptionLife {
        Paper.life(Paper.january(), Paper.period(2, start, end))
    }

    /// Asks at each of these instants; what was told after each, and the books at the end.
    private static func told(_ life: SubscriptionLife, asked instants: String...) async throws -> ([String], Books?) {
        var (words, books): ([String], Books?) = ([], nil)
        let customers = Paper.customers(life, app: Paper.receiptApp)
        try await withStores(customers, apps: [Paper.receiptApp], clock: instants[0]) { stores, client in
            for now in instants {
                stores.setClock(instant(now))
                _ = try await client.verify(account: "account-1")
                let access = stores.books.access().map {
                    "\($0.accessUntil.map(CivilTime.iso8601) ?? "-") \($0.reason)"
                }
                words.append((stores.books.states(.disclosed) + access).joined(separator: ", "))
            }
            books = stores.books
        }
        return (words, books)
    }

    @Test func `the receipt names neither an end nor a retry`() async throws {
        let customers = Paper.customers(Paper.life(Paper.january()), app: Paper.receiptApp)
        try await withStores(customers, apps: [Paper.receiptApp], clock: "2026-02-01T10:01:00Z") { _, client in
            let answer = try await client.verify(account: "account-1")
            let renewal = try #require((answer.json["pending_renewal_info"] as? [[String: String]])?.first)
            #expect(renewal["auto_renew_status"] == "1")
            #expect(renewal["expiration_intent"] == nil && renewal["is_in_billing_retry_period"] == nil)
        }
    }

    /// Access until a day after each such answer; 48 hours after the expiry it is over since the expiry, nobody knows why.
    @Test func `after two days the subscription has ended for no known reason`() async throws {
        let (words, books) = try await Self.told(
            Paper.life(Paper.january()), asked: "2026-02-01T10:01:00Z", "2026-02-03T09:59:59Z", "2026-02-03T10:00:00Z")
        #expect(
            words == [
                "active, 2026-02-02T10:01:00Z buffer", "active, 2026-02-04T09:59:59Z buffer",
                "expired unknown, 2026-02-01T10:00:00Z ended",
            ])
        for column in BookColumn.allCases {
            #expect(
                books?.churned(column, from: "2026-02-01", through: "2026-02-02")
                    == ["2026-02-01 monthly opening 1 churned 1 other 1"])
        }
    }

    /// Until then it counts as active, and as unread besides.
    @Test func `meanwhile the subscription is active and unread`() async throws {
        let (_, books) = try await Self.told(Paper.life(Paper.january()), asked: "2026-02-02T02:15:00Z")
        #expect(books?.churned(.disclosed, from: "2026-02-01", through: "2026-02-01") == Books.quiet("02-01"))
        let rows = books?.metrics(.disclosed).subscribers(on: "2026-02-01")
        #expect(rows?.map(\.counts) == [["active": 1, "unread": 1]])
    }

    /// A minute or six hours: the old end is extended over the gap, and nobody left.
    @Test(arguments: [
        ("2026-02-01T10:01:00Z", "2026-03-01T10:01:00Z"), ("2026-02-01T16:00:00Z", "2026-03-01T16:00:00Z"),
    ])
    func `a renewal that is hours late is a renewal`(start: String, end: String) async throws {
        let (words, books) = try await Self.told(
            Self.late(start, end), asked: "2026-02-01T10:00:30Z", "2026-02-02T02:15:00Z")
        #expect(words[0] == "active, 2026-02-02T10:00:30Z buffer" && words[1].hasPrefix("active, 2026-03-02"))
        #expect(books?.told.map(\.kind) == [.purchase, .renewal])
        #expect(
            books?.churned(.disclosed, from: "2026-02-01", through: "2026-02-03")
                == Books.quiet("02-01", "02-02", "02-03"))
    }

    /// Thirty hours are more than a day, and nobody spoke of a retry: it left and came back.
    @Test func `a renewal that is more than a day late is a return`() async throws {
        let (words, books) = try await Self.told(
            Self.late("2026-02-02T16:00:00Z", "2026-03-02T16:00:00Z"), asked: "2026-02-01T12:00:00Z",
            "2026-02-02T12:00:00Z", "2026-02-03T12:00:00Z")
        #expect(words.allSatisfy { $0.hasPrefix("active") })
        #expect(books?.told.map(\.kind) == [.purchase, .resubscribe])
        #expect(
            books?.churned(.disclosed, from: "2026-02-01", through: "2026-02-03")
                == ["2026-02-01 monthly opening 1 churned 1 other 1", "2026-02-03 monthly opening 1"])
    }

    /// The Server API says so itself where something has ended.
    @Test func `the other interface is taken at its word`() {
        let books = Paper.books(Paper.life(Paper.january()), at: "2026-02-05T00:00:00Z")
        #expect(books.states(.happened) == ["active"])
    }
}
