// SPDX-License-Identifier: Apache-2.0

import Foundation
import Load
import Model
import Stores
import TestSupport
import Transform

@testable import AppStore

/// One subscription night after night, by either interface of the App Store, from the store's documents to booked rows:
/// what a night leaves is what the next one knows.
struct AppleNights {
    enum Interface: CaseIterable { case server, receipt }

    /// What the store knows of the subscription at one instant, reported by either interface in its own words.
    struct NightReport {
        /// Transaction id, first and last day, in days after 1 March 2026; the newest last.
        var periods: [(id: String, start: Int64, end: Int64)]
        /// 1 active, 2 expired, 3 billing retry, 4 grace.
        var status: Int
        var autoRenew = true
        var intent: Int?
        var graceEnd: Int64?
    }

    let interface: Interface
    private(set) var transactions: [CanonicalTransaction] = []
    private(set) var snapshot = SubscriptionSnapshot()
    private(set) var nextCheck: NextCheck?

    init(_ interface: Interface) { self.interface = interface }

    static func day(_ days: Int64, hours: Int64 = 0) -> Instant {
        Instant(milliseconds: Rows.march) + .days(days) + .hours(hours)
    }

    private static func milliseconds(_ days: Int64) -> Int64 { day(days).milliseconds }

    /// Asks so many days after 1 March 2026, at that hour.
    mutating func night(_ days: Int64, hours: Int64 = 2, _ report: NightReport) throws {
        let now = Self.day(days, hours: hours)
        let configuration = interface == .server ? try Acme.configuration() : Acme.receipts()
        let documents = try interface == .server ? server(report, now) : [receipt(report, now)]
        let store = UnwatchedStore(store: try configuration.store(clock: { now }))
        let stage = TransformStage(store: store, now: now, defaultCountry: nil, levels: [:])
        var rows = ChunkRows()
        let answer = StoreAnswer(
            inquiry: Inquiry(subscriptions: [due()]), environment: .production, documents: documents, answeredAt: now)
        stage.rows(for: ReadAnswer(answer, by: store), into: &rows)
        rows.deduplicate()
        for row in rows.transactions {
            transactions.removeAll { $0.transactionID == row.transactionID }
            transactions.append(row)
        }
        transactions.sort { $0.start < $1.start }
        guard let row = rows.subscriptions.first else { return }
        (snapshot, nextCheck) = (row.snapshot, row.nextCheck)
    }

    /// First day, kind and last day of each row.
    var booked: [String] {
        transactions.map { row in
            let days = [row.start, row.end ?? row.start].map { instant in
                (instant.milliseconds - Rows.march) / 86_400_000
            }
            return "\(days[0]) \(row.kind) \(days[1])"
        }
    }

    private func due() -> DueSubscription {
        let key = SubscriptionKey(appID: AppID("acme-ios"), storeKey: "2001")
        return DueSubscription(
            key: key, lineageKey: key, appID: AppID("acme-ios"), storeKey: Secret("2001"), environment: .production,
            accountID: nil, productID: nil, country: nil, snapshot: snapshot, historyCursor: nil,
            receipt: interface == .receipt ? Receipt(id: 5, data: Secret("MII")) : nil,
            known: transactions.map(KnownPeriod.init))
    }

    private func server(_ report: NightReport, _ now: Instant) throws -> [StoreAnswer.Document] {
        let rows = report.periods.map { period in
            Rows.transaction([
                "transactionId": period.id, "webOrderLineItemId": "9" + period.id,
                "purchaseDate": Self.milliseconds(period.start), "expiresDate": Self.milliseconds(period.end),
                "transactionReason": nil, "signedDate": now.milliseconds,
            ])
        }
        let renewal = Rows.renewal([
            "autoRenewStatus": report.autoRenew ? 1 : 0, "expirationIntent": report.intent,
            "gracePeriodExpiresDate": report.graceEnd.map(Self.milliseconds), "signedDate": now.milliseconds,
        ])
        return [
            StoreAnswer.Document(
                endpoint: "statuses", body: try Rows.statuses(status: report.status, rows.last ?? [:], renewal)),
            StoreAnswer.Document(endpoint: "history", body: try Rows.history(rows.reversed(), revision: "r")),
        ]
    }

    private func receipt(_ report: NightReport, _ now: Instant) throws -> StoreAnswer.Document {
        let rows = report.periods.map { period in
            [
                "transaction_id": period.id, "original_transaction_id": "2001",
                "web_order_line_item_id": "9" + period.id, "product_id": "gold.month", "quantity": "1",
                "purchase_date_ms": "\(Self.milliseconds(period.start))",
                "expires_date_ms": "\(Self.milliseconds(period.end))",
            ]
        }
        var pending: [String: Any] = [
            "original_transaction_id": "2001", "product_id": "gold.month",
            "auto_renew_status": report.autoRenew ? "1" : "0",
            "is_in_billing_retry_period": report.status == 3 || report.status == 4 ? "1" : "0",
        ]
        pending["expiration_intent"] = report.intent.map { "\($0)" }
        pending["grace_period_expires_date_ms"] = report.graceEnd.map { "\(Self.milliseconds($0))" }
        let body = try Rows.json(
            [
                "status": 0, "environment": "Production", "latest_receipt_info": Array(rows.reversed()),
                "receipt": ["bundle_id": "com.acme.app", "request_date_ms": "\(now.milliseconds)"],
                "pending_renewal_info": [pending],
            ] as [String: Any])
        return StoreAnswer.Document(endpoint: "verify_receipt", body: body)
    }
}
