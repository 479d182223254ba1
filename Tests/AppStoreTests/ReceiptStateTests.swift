// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import AppStore

/// The state of a subscription by its receipt, which has no field for that.
@Suite struct ReceiptStateTests {
    @Test(
        arguments: [
            // Running; running with the renewal off is still active.
            (ReceiptRows.row(), ReceiptRows.pending(), .active, nil),
            (ReceiptRows.row(), ReceiptRows.pending(["auto_renew_status": "0"]), .active, nil),
            (ReceiptRows.row(), nil, .active, nil),
            // Ended: the store tries again, unless nothing would renew; in either spelling of a boolean.
            (ReceiptRows.ended(), ReceiptRows.pending(["is_in_billing_retry_period": "1"]), .billingRetry, nil),
            (
                ReceiptRows.ended(), ReceiptRows.pending(["is_in_billing_retry_period": true, "auto_renew_status": 1]),
                .billingRetry, nil
            ),
            (
                ReceiptRows.ended(),
                ReceiptRows.pending([
                    "is_in_billing_retry_period": "1", "auto_renew_status": "0", "expiration_intent": "2",
                ]),
                .expired,
                .involuntary
            ),
            (ReceiptRows.ended(), ReceiptRows.pending(["expiration_intent": "1"]), .expired, .voluntary),
            (ReceiptRows.ended(), ReceiptRows.pending(["expiration_intent": 3]), .expired, .price),
            (ReceiptRows.ended(), ReceiptRows.pending(["expiration_intent": "4"]), .expired, .product),
            (ReceiptRows.ended(), nil, .expired, .unknown),
            // Grace, until the store's own clock passes it.
            (
                ReceiptRows.ended(),
                ReceiptRows.pending([
                    "is_in_billing_retry_period": "1", "grace_period_expires_date_ms": "\(ReceiptRows.asked + 1)",
                ]),
                .grace,
                nil
            ),
            (
                ReceiptRows.ended(),
                ReceiptRows.pending([
                    "is_in_billing_retry_period": "1", "grace_period_expires_date_ms": "\(ReceiptRows.asked)",
                ]),
                .billingRetry, nil
            ),
            // Refunded: over at once.
            (
                ReceiptRows.row(["cancellation_date_ms": "\(ReceiptRows.asked - ReceiptRows.day)"]),
                ReceiptRows.pending(), .revoked, .refund
            ),
            (
                ReceiptRows.row([
                    "cancellation_date_ms": "\(ReceiptRows.asked - ReceiptRows.day)",
                    "in_app_ownership_type": "FAMILY_SHARED",
                ]), ReceiptRows.pending(),
                .revoked,
                .revoke
            ),
        ] as [([String: any Sendable], [String: any Sendable]?, SubscriptionState, EndReason?)])
    func `B2: a receipt runs, may still renew or has ended by its parts: expiry, retry, grace, auto-renew`(
        row: [String: any Sendable], pending: [String: any Sendable]?, state: SubscriptionState, reason: EndReason?
    ) throws {
        let status = try #require(try ReceiptRows.read([row], pending: pending).observations.first?.status)
        #expect(status.state == state)
        #expect(status.endReason == reason)
        #expect(
            status.revokedAt == (state == .revoked ? Instant(milliseconds: ReceiptRows.asked - ReceiptRows.day) : nil))
    }

    /// Ended so many hours before it was asked about.
    private static func overdue(hours: Int64, _ pending: [String: any Sendable]?, status: Int = 0) throws
        -> ObservedStatus?
    {
        let expired = ReceiptRows.row([
            "purchase_date_ms": "\(ReceiptRows.asked - 40 * ReceiptRows.day)",
            "expires_date_ms": "\(ReceiptRows.asked - hours * ReceiptRows.day / 24)",
        ])
        return try ReceiptRows.read([expired], pending: pending, more: ["status": status]).observations.first?.status
    }

    @Test func `B4: a renewal that is late is no end for 48 hours, where nothing says it is over`() throws {
        // Auto-renew on, or not reported at all; no intent, no retry flag.
        let open: [[String: any Sendable]?] = [
            ReceiptRows.pending(), ReceiptRows.pending(["is_in_billing_retry_period": "0"]), nil,
        ]
        for pending in open {
            for hours: Int64 in [1, 24, 47] {
                let late = try #require(try Self.overdue(hours: hours, pending))
                #expect(late.state == .active && late.endReason == nil, "\(hours) h")
                #expect(late.expiresAt == Instant(milliseconds: ReceiptRows.asked - hours * ReceiptRows.day / 24))
            }
            let ended = try #require(try Self.overdue(hours: 48, pending))
            #expect(ended.state == .expired && ended.endReason == .unknown)
        }
        // Reported to be over: at once, whatever the hour.
        for (reported, reason) in [
            (ReceiptRows.pending(["auto_renew_status": "0"]), .unknown),
            (ReceiptRows.pending(["expiration_intent": "1"]), .voluntary),
            (ReceiptRows.pending(["expiration_intent": "5"]), .unknown),
        ] as [([String: any Sendable], EndReason)] {
            let ended = try #require(try Self.overdue(hours: 1, reported))
            #expect(ended.state == .expired && ended.endReason == reason)
        }
        let retried = try Self.overdue(hours: 1, ReceiptRows.pending(["is_in_billing_retry_period": "1"]))
        #expect(retried?.state == .billingRetry)
        // The form of iOS 6 says by its status that the subscription has expired.
        #expect(try Self.overdue(hours: 1, nil, status: 21_006)?.state == .expired)
    }

    @Test func `A3: the newest purchase speaks, whatever its place in the list`() throws {
        let rows = [ReceiptRows.row(["transaction_id": "12", "web_order_line_item_id": "92"]), ReceiptRows.ended()]
        for rows in [rows, rows.reversed()] {
            #expect(try ReceiptRows.read(rows).observations.first?.status?.state == .active)
        }
    }

    @Test func `B7: a superseded row neither speaks nor counts as refunded`() throws {
        let old = ReceiptRows.row([
            "is_upgraded": "true", "cancellation_date_ms": "\(ReceiptRows.asked - ReceiptRows.day)",
            "purchase_date_ms": "\(ReceiptRows.asked)",
        ])
        let new = ReceiptRows.row([
            "transaction_id": "12", "web_order_line_item_id": "92", "product_id": "platinum",
            "purchase_date_ms": "\(ReceiptRows.asked - ReceiptRows.day)",
        ])
        let observation = try #require(try ReceiptRows.read([old, new]).observations.first)
        #expect(observation.status?.state == .active)
        #expect(observation.status?.productID == "platinum")
        #expect(observation.periods.map(\.isUpgraded) == [false, true])
        #expect(observation.periods.allSatisfy { $0.refund == nil })
    }

    @Test func `B6: a refund of an older period moves money only`() throws {
        let old = ReceiptRows.ended([
            "cancellation_date_ms": "\(ReceiptRows.asked - ReceiptRows.day)", "cancellation_reason": "1",
        ])
        let new = ReceiptRows.row(["transaction_id": "12", "web_order_line_item_id": "92"])
        let observation = try #require(try ReceiptRows.read([old, new]).observations.first)
        #expect(observation.status?.state == .active)
        #expect(
            observation.periods.first?.refund
                == ObservedPeriod.Refund(at: Instant(milliseconds: ReceiptRows.asked - ReceiptRows.day), kind: .full))
    }
}
