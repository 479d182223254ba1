// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing

@testable import AppStore

@Suite struct ReceiptSampleTests {
    @Test func `the running weekly subscription is read field by field`() throws {
        let reading = try Sample.production.read(try Sample.production.bytes())
        let observation = try #require(reading.observations.first)
        #expect(reading.observations.count == 1)
        #expect(observation.storeKey == Secret("1000000831360853"))
        // request_date_ms 1628533562696 is 2021-08-09 18:26:02; the newest period ends two days later.
        let asked = Instant(milliseconds: 1_628_533_562_696)
        #expect(
            observation.status
                == ObservedStatus(
                    state: .active, productID: "basic_subscription_1_month", autoRenew: true,
                    autoRenewProductID: "basic_subscription_1_month",
                    expiresAt: Instant(iso8601: "2021-08-11T19:41:58Z"), sourceVersion: asked))
        // The trial is in in_app only: the store leaves it out of latest_receipt_info here.
        #expect(observation.periods.map(\.transactionID) == ["1000000831360853", "230001017218955", "230001020690335"])
        #expect(observation.periods.map(\.periodKey) == ["230000397200750", "230000849023623", "230000438372383"])
        #expect(
            observation.periods[0]
                == ObservedPeriod(
                    PeriodFacts(
                        transactionID: "1000000831360853", periodKey: "230000397200750",
                        productID: "basic_subscription_1_month",
                        purchasedAt: try #require(Instant(iso8601: "2021-04-28T19:41:58Z")),
                        start: try #require(Instant(iso8601: "2021-04-28T19:41:58Z")),
                        end: Instant(iso8601: "2021-05-05T19:41:58Z"), offerType: .introductory),
                    SaleFacts(originalTransactionID: "1000000831360853", priceSource: .missing, sourceVersion: asked),
                    isFreeOffer: true))
        #expect(
            observation.periods[2]
                == ObservedPeriod(
                    PeriodFacts(
                        transactionID: "230001020690335", periodKey: "230000438372383",
                        productID: "basic_subscription_1_month",
                        purchasedAt: try #require(Instant(iso8601: "2021-08-04T19:41:58Z")),
                        start: try #require(Instant(iso8601: "2021-08-04T19:41:58Z")),
                        end: Instant(iso8601: "2021-08-11T19:41:58Z")),
                    SaleFacts(
                        originalTransactionID: "1000000831360853", subscriptionGroup: "272394410",
                        priceSource: .missing, sourceVersion: asked)))
        #expect(reading.replacedReceipt == Receipt(id: 5, data: Secret("MIIUVQY...4rVpL8NlYh2/8l7rk0BcStXjQ==")))
        #expect(reading.setAside.isEmpty)
        #expect(reading.unknownValues.isEmpty)
    }

    @Test func `the ended sandbox subscription is read field by field`() throws {
        let reading = try Sample.sandbox.read(try Sample.sandbox.bytes())
        let observation = try #require(reading.observations.first)
        #expect(observation.environment == .sandbox)
        // expiration_intent 1: the customer; auto_renew_status 0; no retry.
        #expect(
            observation.status
                == ObservedStatus(
                    state: .expired, productID: "jp.example.app.subscription", autoRenew: false,
                    autoRenewProductID: "jp.example.app.subscription",
                    expiresAt: Instant(iso8601: "2018-12-04T08:13:50Z"), endReason: .voluntary,
                    sourceVersion: Instant(milliseconds: 1_544_104_240_654)))
        // The trial is in both lists and is one period; five minutes each.
        #expect(observation.periods.map(\.transactionID) == ["1000000481802759", "1000000481806674"])
        #expect(observation.periods.map(\.isFreeOffer) == [true, false])
        #expect(observation.periods.map(\.offerType) == [.introductory, nil])
        #expect(
            observation.periods.map(\.end) == [
                Instant(iso8601: "2018-12-04T08:08:50Z"), Instant(iso8601: "2018-12-04T08:13:50Z"),
            ])
        #expect(observation.periods.allSatisfy { $0.priceMicros == nil && $0.country == nil && $0.isAutoRenewable })
        #expect(reading.setAside.isEmpty)
        #expect(reading.unknownValues.isEmpty)
    }

    @Test(arguments: Sample.allCases)
    func `A3: rows in another order say the same`(sample: Sample) throws {
        var object = try sample.object()
        object["latest_receipt_info"] = (object["latest_receipt_info"] as? [Any]).map { Array($0.reversed()) }
        #expect(try sample.read(object).essence == sample.read(try sample.bytes()).essence)
    }

    @Test(arguments: Sample.allCases, ["", "_ms", "_pst"])
    func `A4: any one form of the dates suffices`(sample: Sample, form: String) throws {
        let object = try sample.object(changingRows: { row in
            for name in ["purchase_date", "expires_date", "original_purchase_date"] {
                for other in ["", "_ms", "_pst"] where other != form { row[name + other] = nil }
            }
        })
        #expect(try sample.read(object).essence == sample.read(try sample.bytes()).essence)
    }

    @Test(arguments: Sample.allCases)
    func `numbers and booleans for strings, and unknown fields, say the same`(sample: Sample) throws {
        var object = try sample.object(changingRows: { row in
            row["is_trial_period"] = (row["is_trial_period"] as? String) == "true"
            row["is_in_intro_offer_period"] = 0
            row["quantity"] = 1
            row["original_transaction_id"] = Int64(row["original_transaction_id"] as? String ?? "")
            row["purchase_date_ms"] = Int64(row["purchase_date_ms"] as? String ?? "")
            row["moon_phase"] = ["full": true]
        })
        object["weather"] = "rain"
        let reading = try sample.read(object)
        #expect(reading.essence == (try sample.read(try sample.bytes()).essence))
        #expect(reading.unknownValues["receipt.weather"] == 1)
        // Three rows are left when the two lists are united, or two.
        #expect(reading.unknownValues["receipt_row.moon_phase"] == (sample == .production ? 3 : 2))
    }

    @Test(arguments: Sample.allCases)
    func `an answer cut at any place is refused and never crashes`(sample: Sample) throws {
        let whole = try sample.bytes()
        for length in stride(from: 0, to: whole.count - 1, by: 50) {
            #expect(throws: UnreadableAnswer.self) { try sample.read(Array(whole[..<length])) }
        }
        for index in stride(from: 0, to: whole.count, by: 50) {
            var bent = whole
            bent[index] ^= 0x10
            _ = try? sample.read(bent)
        }
    }

    @Test(arguments: Sample.allCases)
    func `the archive contains no receipt, and the time of asking is no content`(sample: Sample) throws {
        let archived = try #require(try sample.read(try sample.bytes()).archive.first)
        #expect(!archived.body.contains("latest_receipt\""))
        #expect(!archived.body.contains("MII"))
        #expect(archived.body.contains(sample.originalTransactionID))
        var later = try sample.object()
        var receipt = try #require(later["receipt"] as? [String: Any])
        for form in ["request_date", "request_date_ms", "request_date_pst"] { receipt[form] = "1628533562999" }
        later["receipt"] = receipt
        later["latest_receipt"] = "another"
        #expect(try sample.read(later).archive.first?.answerHash == archived.answerHash)
        #expect(archived.answerHash.count == 32)
        var other = try sample.object()
        other["status"] = 21_006
        #expect(try sample.read(other).archive.first?.answerHash != archived.answerHash)
    }
}
