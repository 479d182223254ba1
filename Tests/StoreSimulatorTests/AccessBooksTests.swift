// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// Access and offers used, by what was told and nothing else.
///
/// January runs to 1 February, 10:00; the buffer is a day.
@Suite struct AccessBooksTests {
    private static let first = "100000000000001"

    /// The access after the store was asked once, in words: until when and why.
    private static func access(
        _ january: Period, asked: String, failing: String? = nil, at instantText: String? = nil
    ) async throws -> String {
        var said = ""
        try await withStores(Paper.customers(Paper.life(january)), clock: asked) { stores, client in
            _ = try await client.statuses(first)
            if let failing {
                stores.setClock(instant(failing))
                stores.faults.plan(.emptyServerError, times: 1, at: "statuses")
                #expect(try await client.statuses(first).status == 500)
            }
            said = stores.books.access(at: instantText.map(instant)).map(\.inWords).joined()
        }
        return said
    }

    @Test func `access lasts while the subscription runs, and a day longer`() async throws {
        let january = Paper.january()
        #expect(try await Self.access(january, asked: "2026-01-05T00:00:00Z") == "2026-02-02T10:00:00Z active")
        #expect(
            try await Self.access(january, asked: "2026-01-05T00:00:00Z", at: "2026-02-01T12:00:00Z")
                == "2026-02-02T10:00:00Z buffer")
        #expect(try await Self.access(Paper.trial(), asked: "2026-01-05T00:00:00Z") == "2026-01-09T10:00:00Z trial")
        // The store said active after the expiry: a day from that answer.
        #expect(try await Self.access(january, asked: "2026-02-01T16:00:00Z") == "2026-02-02T16:00:00Z buffer")
    }

    @Test func `what the store ended ends there`() async throws {
        let cancelled = Paper.january().with { $0.ending = .expires(.voluntary) }
        #expect(try await Self.access(cancelled, asked: "2026-02-03T00:00:00Z") == "2026-02-01T10:00:00Z ended")
        #expect(try await Self.access(cancelled, asked: "2026-01-05T00:00:00Z") == "2026-02-02T10:00:00Z active")
        for extent: Refund.Extent in [.full, .prorated(percentage: 40_000)] {
            let refunded = Paper.january().with {
                $0.refund = Refund(at: instant("2026-01-10T15:00:00Z"), extent: extent)
            }
            #expect(try await Self.access(refunded, asked: "2026-01-12T00:00:00Z") == "2026-01-10T15:00:00Z revoked")
        }
    }

    @Test func `an unpaid period has its grace and no more`() async throws {
        let trouble = Ending.BillingTrouble(
            graceEndsAt: instant("2026-02-17T10:00:00Z"), outcome: .givenUp(at: instant("2026-04-02T10:00:00Z")))
        let grace = Paper.january().with { $0.ending = .billing(trouble) }
        #expect(try await Self.access(grace, asked: "2026-02-04T00:00:00Z") == "2026-02-18T10:00:00Z grace")
        #expect(
            try await Self.access(grace, asked: "2026-02-04T00:00:00Z", at: "2026-02-18T00:00:00Z")
                == "2026-02-18T10:00:00Z buffer")
        // The grace that nobody saw is none.
        #expect(try await Self.access(grace, asked: "2026-02-20T00:00:00Z") == "2026-02-02T10:00:00Z billing_retry")
        #expect(try await Self.access(grace, asked: "2026-04-03T00:00:00Z") == "2026-02-01T10:00:00Z ended")
    }

    /// A failed read is no expiry: three days.
    ///
    /// One before the expiry proves nothing.
    @Test func `what had a failed check is believed longer`() async throws {
        let asked = "2026-01-05T00:00:00Z"
        #expect(
            try await Self.access(Paper.january(), asked: asked, failing: "2026-02-01T16:00:00Z")
                == "2026-02-04T10:00:00Z unread")
        #expect(
            try await Self.access(Paper.january(), asked: asked, failing: "2026-01-20T00:00:00Z")
                == "2026-02-02T10:00:00Z active")
    }

    @Test func `what never answered has what it came with`() async throws {
        let addon = Paper.life(
            Paper.period(7, "2026-01-03T10:00:00Z", "2026-02-03T10:00:00Z", product: "addon", reason: .purchase),
            group: "21000002")
        var hidden = addon
        hidden.isRegistered = false
        for (other, until) in [(addon, "2026-02-04T10:00:00Z"), (hidden, "never")] {
            let customers = Paper.customers(Paper.life(Paper.january()), other)
            try await withStores(customers, clock: "2026-01-05T00:00:00Z") { stores, client in
                _ = try await client.statuses(Self.first)
                #expect(stores.books.access().map(\.inWords) == ["2026-02-02T10:00:00Z active", "\(until) unverified"])
            }
        }
        let books = Paper.books(hidden, at: "2026-01-05T00:00:00Z")
        #expect(books.access().isEmpty)
    }

    /// A trial uses up the group's introduction once it is told; one by a code, or in the family, uses up nothing.
    @Test func `an introduction is used once, and in its group`() async throws {
        let offers: [(Offer.Kind, Ownership, Bool)] = [
            (.introductory, .purchased, true), (.code, .purchased, false), (.introductory, .familyShared, false),
        ]
        for (kind, ownership, isUsed) in offers {
            let trial = Paper.trial().with { $0.offer = Offer(kind, .freeTrial, term: .weeks(1)) }
            let life = Paper.life(
                trial, Paper.period(2, "2026-01-08T10:00:00Z", "2026-02-08T10:00:00Z"), ownership: ownership)
            try await withStores(Paper.customers(life), clock: "2026-01-10T00:00:00Z") { stores, client in
                let used: Set = [UsedIntroduction(appID: "acme-ios", accountID: "account-1", groupID: "21000001")]
                #expect(stores.books.usedIntroductions(.happened) == (isUsed ? used : []))
                _ = try await client.statuses(Self.first)
                #expect(stores.books.usedIntroductions(.disclosed).isEmpty)
                try await client.wholeHistory(Self.first)
                #expect(stores.books.usedIntroductions(.disclosed) == (isUsed ? used : []))
            }
        }
    }
}

extension BookedAccess {
    fileprivate var inWords: String { "\(accessUntil.map(CivilTime.iso8601) ?? "never") \(reason.rawValue)" }
}
