// SPDX-License-Identifier: Apache-2.0

import Foundation
import Load
import Model
import Postgres
import Stores
import TestSupport
import Testing
import Transform

@testable import GooglePlay

/// No value that Google Play may send is refused by the database: every member of its documents, damaged in every way,
/// is read and loaded.
///
/// What a check would refuse, its reader keeps raw and counts, or sets the row aside.
@Suite(.hangLimit) struct FilledChecksTests {
    /// Given back in part, paid for with points in part.
    private static let order = Play.changed(
        FuzzTests.order,
        [
            "pointsDetails": [
                "pointsOfferId": "o", "pointsSpent": "100", "pointsCouponValue": Play.euros(1),
                "pointsDiscountRateMicros": "500000",
            ] as Object
        ])
    private static let refunded = Play.order([
        "state": "REFUNDED",
        "orderHistory": [
            "processedEvent": ["eventTime": "2026-03-01T00:00:02Z"],
            "refundEvent": [
                "eventTime": "2026-03-05T00:00:00Z", "refundReason": "CHARGEBACK",
                "refundDetails": ["total": Play.euros(9, cents: 99), "tax": Play.euros(1, cents: 60)] as Object,
            ] as Object,
        ] as Object,
        "lineItems": [Play.line(phase: "freeTrialDetails", offer: "week")],
    ])
    private static let sale = Play.order([
        "lineItems": [
            [
                "productId": "coins", "total": Play.euros(9, cents: 99), "tax": Play.euros(1, cents: 60),
                "oneTimePurchaseDetails": ["quantity": 2, "offerId": "sale"] as Object,
            ] as Object
        ]
    ])

    private static func purchase(_ state: String) -> Object {
        let survey: Object = ["reason": "CANCEL_SURVEY_REASON_OTHERS"]
        let initiated: Object = ["cancelTime": "2026-03-05T00:00:00Z", "cancelSurveyResult": survey]
        let cancelled: Object = ["userInitiatedCancellation": initiated]
        return Play.subscription(
            state,
            [
                "canceledStateContext": cancelled,
                "pausedStateContext": ["autoResumeTime": "2026-04-05T00:00:00Z"] as Object,
                "lineItems": [
                    Play.item([
                        "autoRenewingPlan": [
                            "autoRenewEnabled": true, "recurringPrice": Play.euros(9, cents: 99),
                        ] as Object
                    ])
                ],
            ])
    }

    private static func rows(
        _ number: Int64, _ store: any Store, _ documents: [StoreAnswer.Document]
    ) -> (rows: ChunkRows, isCounted: Bool) {
        let plain = Play.due(snapshot: nil)
        let key = SubscriptionKey(number)
        let due = DueSubscription(
            key: key, lineageKey: key, appID: plain.appID, storeKey: plain.storeKey, environment: .production,
            accountID: nil, productID: "gold.month", country: nil, snapshot: plain.snapshot, historyCursor: nil,
            receipt: nil, known: [])
        let answer = StoreAnswer(
            inquiry: Inquiry(subscriptions: [due]), environment: .production, documents: documents, answeredAt: Play.now
        )
        var rows = ChunkRows(asked: [due])
        TransformStage(store: UnwatchedStore(store: store), now: Play.now, defaultCountry: "US")
            .rows(for: ReadAnswer(answer, by: store), into: &rows)
        return (rows, !rows.unknownValues.isEmpty || !rows.setAside.isEmpty)
    }

    private static func answers() throws -> [(path: [String], documents: [StoreAnswer.Document])] {
        var answers: [(path: [String], documents: [StoreAnswer.Document])] = []
        for order in [order, refunded, sale] {
            try DamagedJSON.forEach(of: Array(Play.json(order).utf8)) { damage in
                let damaged = StoreAnswer.Document(endpoint: "order", body: damage.bytes)
                answers.append((damage.path, [Play.document("subscription", Play.subscription()), damaged]))
            }
        }
        let invented: Object = ["courtInitiatedCancellation": ["cancelTime": "2026-03-05T00:00:00Z"] as Object]
        answers.append(
            (
                ["canceledStateContext"],
                [Play.document("subscription", Play.subscription("EXPIRED", ["canceledStateContext": invented]))]
            ))
        for state in ["ACTIVE", "CANCELED", "EXPIRED", "PAUSED", "IN_GRACE_PERIOD"] {
            try DamagedJSON.forEach(of: Array(Play.json(purchase(state)).utf8)) { damage in
                let damaged = StoreAnswer.Document(endpoint: "subscription", body: damage.bytes)
                answers.append((damage.path, [damaged, Play.document("order", Play.order([:]))]))
            }
        }
        return answers
    }

    @Test func `every check on a column that the store fills has a reader before it that refuses no customer`()
        async throws
    {
        let store = try Play.store(clock: { Play.now })
        try await withLedgerDatabase { connection, _ in
            var (pieces, loaded, counted): ([ChunkRows], Set<String>, Set<String>) = ([], [], [])
            for (index, answer) in try Self.answers().enumerated() {
                let (rows, isCounted) = Self.rows(Int64(index + 1), store, answer.documents)
                pieces.append(rows)
                loaded.formUnion(answer.path)
                if isCounted { counted.formUnion(answer.path) }
            }
            let refused = try await connection.load(pieces, of: Play.appID, .googlePlay, now: Play.now)
            #expect(refused.isEmpty, "the database refused: \(refused)")
            for (check, members) in FilledChecks.guarded where !members.googlePlay.isEmpty {
                #expect(!loaded.isDisjoint(with: members.googlePlay), "\(check): none of its members was damaged")
                guard FilledChecks.isVocabulary(check) else { continue }
                #expect(
                    !counted.isDisjoint(with: members.googlePlay), "\(check): no strange word was counted or set aside")
            }
        }
    }
}
