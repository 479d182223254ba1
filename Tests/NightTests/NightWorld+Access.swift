// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Testing

@testable import StoreSimulator

/// Who has access and who may still have an offer: what the backend reads, held against the stores' books.
extension NightWorld {
    /// A sample of the customers, at the instant of the night and twice until the next one.
    func expectAccess(
        ofOneIn part: Int, night: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let keys = try await sampledKeys(part)
        for hours in [0, 8, 16] as [Int64] {
            let at = Self.instant(of: night).micros + hours * 3_600_000_000
            let expected = stores.books.access(at: at).filter { Self.isSampled($0.originalTransactionID, part) }
            expectSame(
                try await access(of: keys, at: at), Set(expected),
                "access \(hours) hours after night \(night)", sourceLocation: sourceLocation)
        }
    }

    /// The same ones every night, whatever the process.
    private static func isSampled(_ id: String, _ part: Int) -> Bool {
        id.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % part == 0
    }

    /// The sampled subscriptions: the rule is worked out one by one, and for them alone.
    private func sampledKeys(_ part: Int) async throws -> [Int64] {
        let rows = try await connection.query(
            Statement(
                name: "subscriptions by key",
                text: """
                    select held.subscription_key, held.store_key from subledger.subscriptions held
                    where not (\(Self.isAlias)) and not (\(Self.isPendingSale))
                    """))
        let sampled = try rows.filter { Self.isSampled(try $0.string("store_key"), part) }
        return try sampled.map { try $0.int64("subscription_key") }
    }

    private func access(of keys: [Int64], at instant: Int64) async throws -> Set<BookedAccess> {
        let rows = try await connection.query(
            Statement(
                name: "access at an instant",
                text: """
                    select held.app_id, held.account_id, held.store_key, access.access_until, access.reason
                    from subledger.subscriptions held
                    -- By the night's clock, not by today's.
                    cross join lateral subledger.access_at(held.subscription_key, $1::timestamptz) access
                    where held.subscription_key = any ($2::bigint[])
                    """), [.timestamp(micros: instant), .intArray(keys)])
        return Set(
            try rows.map { row in
                BookedAccess(
                    appID: try row.string("app_id"), accountID: try row.string("account_id"),
                    originalTransactionID: try row.string("store_key"),
                    accessUntil: try row.optionalTimestampMicros("access_until"),
                    reason: try BookedTransaction.word(row.string("reason")))
            })
    }

    /// Which accounts have had their introductory offer, group by group, as far as the App Store tells.
    func expectEligibility(
        _ column: BookColumn, night: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let books = stores.books.usedIntroductions(column)
        let rows = try await connection.query(
            Statement(
                name: "used introductory offers",
                text: """
                    select distinct held.app_id, held.account_id, sold.subscription_group
                    from subledger.subscriptions held
                    join subledger.transactions sold on sold.subscription_key = held.subscription_key
                    cross join lateral subledger.offer_eligibility(
                        held.account_id, held.app_id, sold.subscription_group
                    ) eligibility
                    where held.store = 'app_store'
                        and sold.subscription_group is not null
                        and not eligibility.introductory_available
                    """))
        let found = try rows.map { row in
            UsedIntroduction(
                appID: try row.string("app_id"), accountID: try row.string("account_id"),
                groupID: try row.string("subscription_group"))
        }
        expectSame(Set(found), books, "used introductory offers, night \(night)", sourceLocation: sourceLocation)
    }
}
