// SPDX-License-Identifier: Apache-2.0

import Foundation
import Load
import Model
import Stores
import TestSupport
import Testing
import Transform

@testable import AppStore

/// The three histories of one original transaction id, from the store's documents to booked rows, by either interface.
///
/// Periods of 30 days at 9.99 EUR; the first begins 90 days before 1 March 2026, and it is 10 March.
@Suite struct GoldenHistoryTests {
    private static let day: Int64 = 86_400_000
    private static let origin = Rows.march - 90 * day

    /// A period by the day it begins on, and the minute after it.
    private struct Paid { let day: Int64; var minutes: Int64 = 0; var isRenewal = true }

    private static let histories: [(name: String, periods: [Paid], booked: [String])] = [
        (
            // 1 December to 31 March without a gap: a purchase and three renewals.
            "continuous", [Paid(day: 0, isRenewal: false), Paid(day: 30), Paid(day: 60), Paid(day: 90)],
            ["0 purchase 30", "30 renewal 60", "60 renewal 90", "90 renewal 120"]
        ),
        (
            // Turned off and on again before the expiry of day 60: bought two minutes after it, by the customer's own
            // hand; two minutes are no lapse, and the period begins when it was bought.
            "off and on",
            [
                Paid(day: 0, isRenewal: false), Paid(day: 30), Paid(day: 60, minutes: 2, isRenewal: false),
                Paid(day: 90, minutes: 2),
            ], ["0 purchase 30", "30 renewal 60", "60 renewal 90", "90 renewal 120"]
        ),
        (
            // Nothing from day 60 to day 90: a lapse of a month, and the same original id comes back as a resubscribe.
            "lapsed and back", [Paid(day: 0, isRenewal: false), Paid(day: 30), Paid(day: 90, isRenewal: false)],
            ["0 purchase 30", "30 renewal 60", "90 resubscribe 120"]
        ),
    ]

    @Test(arguments: 0...2)
    func `B5: the three histories are booked right from the server API's documents`(number: Int) throws {
        let history = Self.histories[number]
        let rows = history.periods.enumerated().map { index, paid in
            Rows.transaction([
                "transactionId": "200\(index + 1)", "webOrderLineItemId": "900\(index + 1)",
                "purchaseDate": Self.start(paid), "expiresDate": Self.start(paid) + 30 * Self.day,
                "transactionReason": paid.isRenewal ? "RENEWAL" : "PURCHASE",
            ])
        }
        let last = try #require(rows.last)
        let documents = [
            StoreAnswer.Document(endpoint: "statuses", body: try Rows.statuses(status: 1, last)),
            // The store sorts by its own clock, not by ours: backwards here.
            StoreAnswer.Document(endpoint: "history", body: try Rows.history(rows.reversed(), revision: "r")),
        ]
        let booked = try Self.booked(try Acme.configuration(), documents, receipt: nil)
        #expect(booked.transactions.map(Self.line) == history.booked, "\(history.name)")
        #expect(booked.transactions.allSatisfy { $0.priceMicros == 9_990_000 && $0.currency == "EUR" })
        #expect(booked.subscriptions.map(\.snapshot.state) == [.active])
        // A day before the expiry of day 120.
        let expiry = Instant(milliseconds: Self.start(history.periods[history.periods.count - 1]) + 30 * Self.day)
        #expect(booked.subscriptions.map(\.nextCheck) == [NextCheck(at: expiry - .days(1), reason: .beforeExpiry)])
    }

    @Test(arguments: 0...2)
    func `B5: the three histories are booked right from a receipt`(number: Int) throws {
        let history = Self.histories[number]
        let rows = history.periods.enumerated().map { index, paid in
            [
                "transaction_id": "200\(index + 1)", "original_transaction_id": "2001",
                "web_order_line_item_id": "900\(index + 1)", "product_id": "gold.month", "quantity": "1",
                "purchase_date_ms": "\(Self.start(paid))", "expires_date_ms": "\(Self.start(paid) + 30 * Self.day)",
            ]
        }
        let body = try Rows.json(
            [
                "status": 0, "environment": "Production", "latest_receipt_info": rows,
                "receipt": ["bundle_id": "com.acme.app", "request_date_ms": "\(Rows.signed)"],
                "pending_renewal_info": [["original_transaction_id": "2001", "auto_renew_status": "1"]],
            ] as [String: Any])
        let booked = try Self.booked(
            Acme.receipts(), [StoreAnswer.Document(endpoint: "verify_receipt", body: body)],
            receipt: Receipt(id: 5, data: Secret("MII")))
        #expect(booked.transactions.map(Self.line) == history.booked, "\(history.name)")
        // A receipt knows no money.
        #expect(booked.transactions.allSatisfy { $0.priceMicros == nil && $0.priceSource == .missing })
        #expect(booked.subscriptions.map(\.snapshot.state) == [.active])
    }

    private static func start(_ paid: Paid) -> Int64 { origin + paid.day * day + paid.minutes * 60_000 }

    /// Begin, kind and end, in whole days.
    private static func line(_ row: CanonicalTransaction) -> String {
        let begin = (row.start.milliseconds - origin) / day
        let end = row.end.map { "\(($0.milliseconds - origin) / day)" } ?? "-"
        return "\(begin) \(row.kind) \(end)"
    }

    private static func booked(
        _ configuration: AppStoreConfiguration, _ documents: [StoreAnswer.Document], receipt: Receipt?
    ) throws -> ChunkRows {
        let store = try configuration.store(clock: { Acme.now })
        let stage = TransformStage(store: store, now: Acme.now, defaultCountry: nil, levels: [:])
        var rows = ChunkRows()
        let due = Acme.due(answeredBefore: false, receipt: receipt)
        let answer = StoreAnswer(
            inquiry: Inquiry(subscriptions: [due]), environment: .production, documents: documents,
            answeredAt: Acme.now)
        stage.rows(for: ReadAnswer(answer, by: store), into: &rows)
        rows.deduplicate()
        rows.transactions.sort { $0.start < $1.start }
        return rows
    }
}
