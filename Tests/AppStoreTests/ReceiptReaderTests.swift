// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import AppStore

/// What a receipt's rows are read as, in whichever of its forms, and what cannot be read.
@Suite struct ReceiptReaderTests {
    @Test(
        arguments: [
            (["is_trial_period": "true"], .introductory, nil, true),
            (["is_in_intro_offer_period": "true"], .introductory, nil, false),
            (["promotional_offer_id": "back"], .promotional, "back", false),
            (["promotional_offer_id": "back", "is_trial_period": "true"], .promotional, "back", true),
            (["offer_code_ref_name": "SPRING"], .code, "SPRING", false),
        ] as [([String: String], OfferType, String?, Bool)])
    func `B7: an offer is recognised by its marks`(
        marks: [String: String], type: OfferType, id: String?, isFree: Bool
    ) throws {
        let period = try #require(
            try ReceiptRows.read([ReceiptRows.row(marks.mapValues { $0 as (any Sendable)? })]).observations.first?
                .periods.first)
        #expect(period.offerType == type)
        #expect(period.offerID == id)
        #expect(period.isFreeOffer == isFree)
    }

    @Test func `B7: several subscriptions and a one-time product may be in one receipt`() throws {
        let other = ReceiptRows.ended([
            "transaction_id": "21", "original_transaction_id": "21", "web_order_line_item_id": "81",
        ])
        let coins = ReceiptRows.row([
            "transaction_id": "31", "original_transaction_id": "31", "web_order_line_item_id": nil,
            "product_id": "coins",
            "expires_date_ms": nil,
        ])
        let reading = try ReceiptRows.read([ReceiptRows.row(), other, coins])
        #expect(reading.observations.map(\.storeKey) == ["11", "21", "31"].map(Secret.init))
        #expect(reading.observations.map(\.status?.state) == [.active, .expired, nil])
        #expect(reading.observations[2].periods.first?.isAutoRenewable == false)
        #expect(reading.observations[2].periods.first?.periodKey == "31")
    }

    @Test func `A3: a restored row is the same period, and the first list wins`() throws {
        let restored = ReceiptRows.row(["transaction_id": "99", "product_id": "lagging"])
        let reading = try ReceiptRows.read(
            [ReceiptRows.row()],
            more: [
                "receipt": [
                    "bundle_id": "com.adapty.sample_app", "request_date_ms": "\(ReceiptRows.asked)",
                    "in_app": [restored],
                ] as [String: any Sendable]
            ])
        #expect(reading.observations.first?.periods.map(\.transactionID) == ["11"])
        #expect(reading.observations.first?.periods.map(\.productID) == ["gold"])
    }

    @Test func `a receipt that lacks the subscription says so`() throws {
        let reading = try ReceiptRows.read([ReceiptRows.row(["original_transaction_id": "12"])])
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
            try ReceiptRows.read([ReceiptRows.row()], more: ["receipt": receipt, "environment": environment])
        }
        #expect(failure?.reason == reason)
    }

    @Test func `a row without its essentials is set aside and its neighbours are taken`() throws {
        for field in ["transaction_id", "product_id", "purchase_date_ms"] {
            let bad = ReceiptRows.row([field: nil, "web_order_line_item_id": field == "transaction_id" ? nil : "92"])
            let reading = try ReceiptRows.read([bad, ReceiptRows.row()])
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
        #expect(reading.unknownValues.isEmpty)
        #expect(reading.setAside.isEmpty)
        #expect(reading.archive.first?.body.contains("device-canary") == false)
    }

    @Test func `A3: an expired receipt of iOS 6 has its transaction under another name`() throws {
        let answer: [String: any Sendable] = [
            "status": 21_006, "receipt": ["bid": "com.adapty.sample_app"],
            "latest_expired_receipt_info": ReceiptRows.ended(),
            "expiration_intent": "1", "auto_renew_status": 0,
        ]
        let status = try Sample.production.read(try Rows.json(answer), storeKey: "11").observations.first?.status
        #expect(status?.state == .expired)
        #expect(status?.endReason == .voluntary)
    }
}
