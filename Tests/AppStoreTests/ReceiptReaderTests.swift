// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing

@testable import AppStore

@Suite struct ReceiptReaderTests {
    /// 2026-03-10T12:00:00Z.
    private static let asked = Rows.signed
    private static let day: Int64 = 86_400_000

    private static func row(_ changes: [String: (any Sendable)?] = [:]) -> [String: any Sendable] {
        var row: [String: any Sendable] = [
            "transaction_id": "11", "original_transaction_id": "11", "web_order_line_item_id": "91",
            "product_id": "gold", "quantity": "1", "purchase_date_ms": "\(asked - 10 * day)",
            "expires_date_ms": "\(asked + 20 * day)",
        ]
        for (name, value) in changes { row[name] = value }
        return row
    }

    private static func read(
        _ rows: [[String: any Sendable]], pending: [String: any Sendable]? = nil, more: [String: any Sendable] = [:]
    ) throws -> Reading {
        var answer: [String: any Sendable] = [
            "status": 0, "environment": "Production", "latest_receipt_info": rows,
            "receipt": ["bundle_id": "com.adapty.sample_app", "request_date_ms": "\(asked)"],
        ]
        if let pending { answer["pending_renewal_info"] = [pending] }
        answer.merge(more) { $1 }
        return try Sample.production.read(try Rows.json(answer), storeKey: "11")
    }

    private static func pending(_ changes: [String: any Sendable] = [:]) -> [String: any Sendable] {
        ["original_transaction_id": "11", "product_id": "gold", "auto_renew_status": "1"].merging(changes) { $1 }
    }

    /// Ended ten days before it was asked about.
    private static func ended(_ changes: [String: (any Sendable)?] = [:]) -> [String: any Sendable] {
        row(
            ["purchase_date_ms": "\(asked - 40 * day)", "expires_date_ms": "\(asked - 10 * day)"].merging(changes) {
                $1
            })
    }

    @Test(
        "B2: a receipt runs, may still renew or has ended by its parts: expiry, retry, grace, auto-renew",
        arguments: [
            // Running; running with the renewal off is still active.
            (row(), pending(), .active, nil), (row(), pending(["auto_renew_status": "0"]), .active, nil),
            (row(), nil, .active, nil),
            // Ended: the store tries again, unless nothing would renew; in either spelling of a boolean.
            (ended(), pending(["is_in_billing_retry_period": "1"]), .billingRetry, nil),
            (ended(), pending(["is_in_billing_retry_period": true, "auto_renew_status": 1]), .billingRetry, nil),
            (
                ended(),
                pending(["is_in_billing_retry_period": "1", "auto_renew_status": "0", "expiration_intent": "2"]),
                .expired,
                .involuntary
            ),
            (ended(), pending(["expiration_intent": "1"]), .expired, .voluntary),
            (ended(), pending(["expiration_intent": 3]), .expired, .price),
            (ended(), pending(["expiration_intent": "4"]), .expired, .product),
            (ended(), nil, .expired, .unknown),
            // Grace, until the store's own clock passes it.
            (
                ended(), pending(["is_in_billing_retry_period": "1", "grace_period_expires_date_ms": "\(asked + 1)"]),
                .grace,
                nil
            ),
            (
                ended(), pending(["is_in_billing_retry_period": "1", "grace_period_expires_date_ms": "\(asked)"]),
                .billingRetry, nil
            ),
            // Refunded: over at once.
            (row(["cancellation_date_ms": "\(asked - day)"]), pending(), .revoked, .refund),
            (
                row(["cancellation_date_ms": "\(asked - day)", "in_app_ownership_type": "FAMILY_SHARED"]), pending(),
                .revoked,
                .revoke
            ),
        ] as [([String: any Sendable], [String: any Sendable]?, SubscriptionState, EndReason?)])
    func receiptStates(
        row: [String: any Sendable], pending: [String: any Sendable]?, state: SubscriptionState, reason: EndReason?
    ) throws {
        let status = try #require(try Self.read([row], pending: pending).observations.first?.status)
        #expect(status.state == state)
        #expect(status.endReason == reason)
        #expect(status.revokedAt == (state == .revoked ? Instant(milliseconds: Self.asked - Self.day) : nil))
    }

    /// Ended so many hours before it was asked about.
    private static func overdue(hours: Int64, _ pending: [String: any Sendable]?, status: Int = 0) throws
        -> ObservedStatus?
    {
        let expired = row([
            "purchase_date_ms": "\(asked - 40 * day)", "expires_date_ms": "\(asked - hours * day / 24)",
        ])
        return try read([expired], pending: pending, more: ["status": status]).observations.first?.status
    }

    @Test func `B4: a renewal that is late is no end for 48 hours, where nothing says it is over`() throws {
        // Auto-renew on, or not told at all; no intent, no retry flag.
        let open: [[String: any Sendable]?] = [Self.pending(), Self.pending(["is_in_billing_retry_period": "0"]), nil]
        for pending in open {
            for hours: Int64 in [1, 24, 47] {
                let late = try #require(try Self.overdue(hours: hours, pending))
                #expect(late.state == .active && late.endReason == nil, "\(hours) h")
                #expect(late.expiresAt == Instant(milliseconds: Self.asked - hours * Self.day / 24))
            }
            let ended = try #require(try Self.overdue(hours: 48, pending))
            #expect(ended.state == .expired && ended.endReason == .unknown)
        }
        // Told to be over: at once, whatever the hour.
        for (told, reason) in [
            (Self.pending(["auto_renew_status": "0"]), .unknown),
            (Self.pending(["expiration_intent": "1"]), .voluntary),
            (Self.pending(["expiration_intent": "5"]), .unknown),
        ] as [([String: any Sendable], EndReason)] {
            let ended = try #require(try Self.overdue(hours: 1, told))
            #expect(ended.state == .expired && ended.endReason == reason)
        }
        let retried = try Self.overdue(hours: 1, Self.pending(["is_in_billing_retry_period": "1"]))
        #expect(retried?.state == .billingRetry)
        // The form of iOS 6 says by its status that the subscription has expired.
        #expect(try Self.overdue(hours: 1, nil, status: 21_006)?.state == .expired)
    }

    @Test func `A3: the newest purchase speaks, whatever its place in the list`() throws {
        let rows = [Self.row(["transaction_id": "12", "web_order_line_item_id": "92"]), Self.ended()]
        for rows in [rows, rows.reversed()] {
            #expect(try Self.read(rows).observations.first?.status?.state == .active)
        }
    }

    @Test func `B7: a superseded row neither speaks nor counts as refunded`() throws {
        let old = Self.row([
            "is_upgraded": "true", "cancellation_date_ms": "\(Self.asked - Self.day)",
            "purchase_date_ms": "\(Self.asked)",
        ])
        let new = Self.row([
            "transaction_id": "12", "web_order_line_item_id": "92", "product_id": "platinum",
            "purchase_date_ms": "\(Self.asked - Self.day)",
        ])
        let observation = try #require(try Self.read([old, new]).observations.first)
        #expect(observation.status?.state == .active)
        #expect(observation.status?.productID == "platinum")
        #expect(observation.periods.map(\.isUpgraded) == [false, true])
        #expect(observation.periods.allSatisfy { $0.refund == nil })
    }

    @Test func `B6: a refund of an older period moves money only`() throws {
        let old = Self.ended(["cancellation_date_ms": "\(Self.asked - Self.day)", "cancellation_reason": "1"])
        let new = Self.row(["transaction_id": "12", "web_order_line_item_id": "92"])
        let observation = try #require(try Self.read([old, new]).observations.first)
        #expect(observation.status?.state == .active)
        #expect(
            observation.periods.first?.refund
                == ObservedPeriod.Refund(at: Instant(milliseconds: Self.asked - Self.day), kind: .full))
    }

    @Test(
        arguments: [
            (["is_trial_period": "true"], .introductory, nil, true),
            (["is_in_intro_offer_period": "true"], .introductory, nil, false),
            (["promotional_offer_id": "back"], .promotional, "back", false),
            (["promotional_offer_id": "back", "is_trial_period": "true"], .promotional, "back", true),
            (["offer_code_ref_name": "SPRING"], .code, "SPRING", false),
        ] as [([String: String], OfferType, String?, Bool)])
    func `B7: an offer is told by its marks`(
        marks: [String: String], type: OfferType, id: String?, isFree: Bool
    ) throws {
        let period = try #require(
            try Self.read([Self.row(marks.mapValues { $0 as (any Sendable)? })]).observations.first?.periods.first)
        #expect(period.offerType == type)
        #expect(period.offerID == id)
        #expect(period.isFreeOffer == isFree)
    }

    @Test func `B7: several subscriptions and a one-time product stand in one receipt`() throws {
        let other = Self.ended([
            "transaction_id": "21", "original_transaction_id": "21", "web_order_line_item_id": "81",
        ])
        let coins = Self.row([
            "transaction_id": "31", "original_transaction_id": "31", "web_order_line_item_id": nil,
            "product_id": "coins",
            "expires_date_ms": nil,
        ])
        let reading = try Self.read([Self.row(), other, coins])
        #expect(reading.observations.map(\.storeKey) == ["11", "21", "31"].map(Secret.init))
        #expect(reading.observations.map(\.status?.state) == [.active, .expired, nil])
        #expect(reading.observations[2].periods.first?.isAutoRenewable == false)
        #expect(reading.observations[2].periods.first?.periodKey == "31")
    }

    @Test func `A3: a restored row is the same period, and the first list wins`() throws {
        let restored = Self.row(["transaction_id": "99", "product_id": "lagging"])
        let reading = try Self.read(
            [Self.row()],
            more: [
                "receipt": [
                    "bundle_id": "com.adapty.sample_app", "request_date_ms": "\(Self.asked)", "in_app": [restored],
                ] as [String: any Sendable]
            ])
        #expect(reading.observations.first?.periods.map(\.transactionID) == ["11"])
        #expect(reading.observations.first?.periods.map(\.productID) == ["gold"])
    }

    @Test func `a receipt that lacks the subscription says so`() throws {
        let reading = try Self.read([Self.row(["original_transaction_id": "12"])])
        #expect(
            reading.setAside.map { [$0.storeKey?.reveal(), $0.reason] } == [["11", "not_in_receipt"]])
    }

    @Test(arguments: [
        (["bundle_id": "com.other", "request_date_ms": "1"], "Production", "wrong_bundle"),
        (["request_date_ms": "1"], "Production", "missing_bundle"),
        (["bundle_id": "com.adapty.sample_app"], "Sandbox", "wrong_environment"),
        (["bundle_id": "com.adapty.sample_app"], "Xcode", "wrong_environment"),
    ])
    func `a receipt of another app or environment is refused`(
        receipt: [String: String], environment: String, reason: String
    ) throws {
        let failure = #expect(throws: UnreadableAnswer.self) {
            try Self.read([Self.row()], more: ["receipt": receipt, "environment": environment])
        }
        #expect(failure?.reason == reason)
    }

    @Test func `a row without its essentials is set aside and its neighbours are taken`() throws {
        for field in ["transaction_id", "product_id", "purchase_date_ms"] {
            let bad = Self.row([field: nil, "web_order_line_item_id": field == "transaction_id" ? nil : "92"])
            let reading = try Self.read([bad, Self.row()])
            #expect(reading.setAside.map(\.reason) == ["missing_field"], "\(field)")
            #expect(reading.observations.first?.periods.map(\.transactionID) == ["11"], "\(field)")
        }
    }

    @Test func `A3: the form of iOS 6 is read`() throws {
        // One transaction in place of a list, the expiry in milliseconds under the plain name, bid for bundle_id, the
        // renewal's fields beside it; no environment and no time of asking, so the answer's own time counts.
        let transaction: [String: any Sendable] = [
            "transaction_id": "11", "original_transaction_id": "11", "product_id": "gold", "quantity": "1",
            "bid": "com.adapty.sample_app", "bvrs": "1.0", "item_id": "5", "unique_identifier": "device-canary",
            "purchase_date": "2026-02-28 12:00:00 Etc/GMT", "purchase_date_ms": "1772280000000",
            "expires_date": "1774699200000", "expires_date_formatted": "2026-03-28 12:00:00 Etc/GMT",
            "expires_date_formatted_pst": "2026-03-28 05:00:00 America/Los_Angeles",
        ]
        let answer: [String: any Sendable] = [
            "status": 0, "receipt": transaction, "latest_receipt_info": transaction, "latest_receipt": "newer",
            "auto_renew_status": 0, "auto_renew_product_id": "gold",
        ]
        let reading = try Sample.production.read(try Rows.json(answer), storeKey: "11")
        let observation = try #require(reading.observations.first)
        #expect(observation.periods.map(\.start) == [Instant(iso8601: "2026-02-28T12:00:00Z")])
        #expect(observation.periods.map(\.end) == [Instant(iso8601: "2026-03-28T12:00:00Z")])
        #expect(observation.status?.state == .active)
        #expect(observation.status?.autoRenew == false)
        #expect(observation.status?.sourceVersion == Acme.now)
        #expect(reading.oddities.isEmpty)
        #expect(reading.setAside.isEmpty)
        #expect(reading.archive.first?.body.contains("device-canary") == false)
    }

    @Test func `A3: an expired receipt of iOS 6 keeps its transaction under another name`() throws {
        let answer: [String: any Sendable] = [
            "status": 21_006, "receipt": ["bid": "com.adapty.sample_app"], "latest_expired_receipt_info": Self.ended(),
            "expiration_intent": "1", "auto_renew_status": 0,
        ]
        let status = try Sample.production.read(try Rows.json(answer), storeKey: "11").observations.first?.status
        #expect(status?.state == .expired)
        #expect(status?.endReason == .voluntary)
    }
}
