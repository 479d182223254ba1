// SPDX-License-Identifier: Apache-2.0

import Foundation
import Load
import Model
import Postgres
import Stores
import TestSupport
import Testing
import Transform

@testable import AppStore

/// No value that the App Store may send is refused by the database: every member of its documents, damaged in every
/// way, is read and loaded.
///
/// What a check would refuse, its reader keeps raw and counts, or sets the row aside.
@Suite(.hangLimit) struct FilledChecksTests {
    /// Every optional member at once, as far as one row can have them.
    private static var row: [String: Any] {
        Rows.transaction([
            "offerType": 2, "offerIdentifier": "back", "offerDiscountType": "PAY_AS_YOU_GO", "offerPeriod": "P1M",
            "revocationDate": Rows.signed - 1_000, "revocationType": "REFUND_PRORATED", "revocationReason": 1,
            "revocationPercentage": 40_000, "isUpgraded": false, "appTransactionId": "7044",
            "appAccountToken": "7e3fb20b-4cdb-47cc-936d-99d65f608138", "billingPlanType": "MONTHLY",
        ])
    }

    private static var renewal: [String: Any] {
        Rows.renewal([
            "autoRenewStatus": 0, "expirationIntent": 2, "gracePeriodExpiresDate": Rows.april + 1_000,
            "isInBillingRetryPeriod": true, "priceIncreaseStatus": 1, "renewalPrice": 9_990, "currency": "EUR",
            "offerType": 1, "eligibleWinBackOfferIds": ["back"],
        ])
    }

    private static func damaged(_ document: [String: Any]) throws -> [(damage: DamagedJSON, row: [String: Any])] {
        var all: [(DamagedJSON, [String: Any])] = []
        try DamagedJSON.forEach(of: try Rows.json(document)) { damage in
            all.append((damage, try JSONSerialization.jsonObject(with: Data(damage.bytes)) as? [String: Any] ?? [:]))
        }
        return all
    }

    private static let store = Result { try Acme.configuration().store(clock: { Acme.now }) }

    /// An answer as the rows of a subscription of its own.
    private static func rows(
        _ number: Int64, _ documents: [StoreAnswer.Document]
    ) throws -> (rows: ChunkRows, isCounted: Bool) {
        let plain = Acme.due(answeredBefore: false)
        let key = SubscriptionKey(number)
        let due = DueSubscription(
            key: key, lineageKey: key, appID: plain.appID, storeKey: plain.storeKey, environment: .production,
            accountID: nil, productID: nil, country: nil, snapshot: plain.snapshot, historyCursor: nil, receipt: nil,
            known: [])
        let answer = StoreAnswer(
            inquiry: Inquiry(subscriptions: [due]), environment: .production, documents: documents,
            answeredAt: Acme.now)
        let store = try store.get()
        var rows = ChunkRows(asked: [due])
        TransformStage(store: UnwatchedStore(store: store), now: Acme.now, defaultCountry: "US")
            .rows(for: ReadAnswer(answer, by: store), into: &rows)
        return (rows, !rows.unknownValues.isEmpty || !rows.setAside.isEmpty)
    }

    private static func answers() throws -> [(path: [String], documents: [StoreAnswer.Document])] {
        var answers: [(path: [String], documents: [StoreAnswer.Document])] = []
        for (damage, row) in try damaged(row) + damaged(SeatTests.purchase(revoked: 2)) {
            let documents = [
                StoreAnswer.Document(endpoint: "statuses", body: try Rows.statuses(status: 5, row, renewal)),
                StoreAnswer.Document(endpoint: "history", body: try Rows.history([row], revision: "r")),
            ]
            answers.append((damage.path, documents))
        }
        for (damage, renewal) in try damaged(renewal) {
            for status in [1, 2, 3] {
                let body = try Rows.statuses(status: status, Rows.transaction(), renewal)
                answers.append((damage.path, [StoreAnswer.Document(endpoint: "statuses", body: body)]))
            }
        }
        for status in [-1, 0, 6, Int.max] {
            let body = try Rows.statuses(status: status)
            answers.append((["status"], [StoreAnswer.Document(endpoint: "statuses", body: body)]))
        }
        return answers
    }

    @Test func `every check on a column that the store fills has a reader before it that refuses no customer`()
        async throws
    {
        try await withLedgerDatabase { connection, _ in
            #expect(try await FilledChecks.inCatalogue(connection) == Set(FilledChecks.guarded.keys))
            var (pieces, loaded, counted): ([ChunkRows], Set<String>, Set<String>) = ([], [], [])
            for (index, answer) in try Self.answers().enumerated() {
                let (rows, isCounted) = try Self.rows(Int64(index + 1), answer.documents)
                pieces.append(rows)
                loaded.formUnion(answer.path)
                if isCounted { counted.formUnion(answer.path) }
            }
            let refused = try await connection.load(pieces, of: AppID("acme-ios"), .appStore, now: Acme.now)
            #expect(refused.isEmpty, "the database refused: \(refused)")
            for (check, members) in FilledChecks.guarded where !members.appStore.isEmpty {
                #expect(!loaded.isDisjoint(with: members.appStore), "\(check): none of its members was damaged")
                guard FilledChecks.isVocabulary(check) else { continue }
                #expect(
                    !counted.isDisjoint(with: members.appStore), "\(check): no strange word was counted or set aside")
            }
        }
    }
}
