// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing

@testable import AppStore

/// The server API's documents, damaged: signed rows member by member and signed again, the signed text and the
/// documents cut at every byte.
///
/// Nothing crashes; a row says only what its own members still say, or is set aside with a reason.
@Suite struct ServerFuzzTests {
    private static var first: [String: Any] {
        Rows.transaction([
            "transactionId": "2001", "webOrderLineItemId": "9001", "purchaseDate": Rows.march - 2_419_200_000,
            "expiresDate": Rows.march, "transactionReason": "PURCHASE",
        ])
    }
    private static var refunded: [String: Any] {
        Rows.transaction([
            "offerType": 2, "offerIdentifier": "back", "offerDiscountType": "PAY_AS_YOU_GO",
            "revocationDate": Rows.signed - 1_000, "revocationType": "REFUND_PRORATED", "revocationPercentage": 40_000,
            "isUpgraded": false,
        ])
    }

    /// What each part of a row comes from.
    private static let parts: [(members: Set<String>, of: @Sendable (ObservedPeriod) -> String)] = [
        (["transactionId"], { $0.transactionID }), (["originalTransactionId"], { $0.originalTransactionID }),
        (["webOrderLineItemId"], { $0.periodKey }), (["productId"], { $0.productID }),
        (["purchaseDate"], { "\($0.purchasedAt)\($0.start)" }), (["expiresDate"], { "\(String(describing: $0.end))" }),
        (["price", "currency"], { "\(String(describing: $0.priceMicros))\(String(describing: $0.currency))" }),
        (
            [
                "revocationDate", "revocationType", "revocationPercentage", "isUpgraded", "inAppOwnershipType",
            ], { "\(String(describing: $0.refund))" }
        ),
        (["isUpgraded"], { "\($0.isUpgraded)" }), (["inAppOwnershipType"], { "\($0.ownership)" }),
        (["offerDiscountType", "offerType", "price"], { "\($0.isFreeOffer)" }),
        (["offerType"], { "\(String(describing: $0.offerType))" }), (["type"], { "\($0.isAutoRenewable)" }),
        (["quantity"], { "\($0.quantity)" }), (["storefront"], { "\(String(describing: $0.country))" }),
        (["signedDate"], { "\($0.sourceVersion)" }),
    ]

    @Test func `a signed transaction with a damaged member says only what the others still say`() throws {
        let whole = try #require(try Self.period(Self.refunded))
        var (taken, refused) = (0, 0)
        try DamagedJSON.forEach(of: try Rows.json(Self.refunded)) { damage in
            if try Self.isTaken(damage, whole: whole) { taken += 1 } else { refused += 1 }
        }
        #expect(taken > 200 && refused > 20, "\(taken) taken, \(refused) refused prove too little")
    }

    /// Reads the damaged row beside a neighbour, and compares what it says of undamaged members.
    private static func isTaken(_ damage: DamagedJSON, whole: ObservedPeriod) throws -> Bool {
        let row = try JSONSerialization.jsonObject(with: Data(damage.bytes)) as? [String: Any] ?? [:]
        let reading = try Acme.reading(
            of: try statusesOfFirst(), history: [try Rows.history([row, first], revision: "r")])
        let periods = reading.observations.flatMap(\.periods)
        let place = "\(damage.path) as \(damage.stranger)"
        // The neighbour is as it was, whatever happened beside it.
        #expect(periods.contains { $0.transactionID == "2001" && $0.periodKey == "9001" }, "\(place)")
        guard let found = periods.first(where: { $0.transactionID != "2001" }) else {
            #expect(reading.setAside.count == 1, "\(place)")
            return false
        }
        for part in parts where !part.members.contains(damage.path.first ?? "") {
            #expect(part.of(found) == part.of(whole), "\(place)")
        }
        return true
    }

    @Test func `a signed renewal with a damaged member says only what the others still say`() throws {
        let renewal = Rows.renewal([
            "autoRenewStatus": 0, "expirationIntent": 2, "gracePeriodExpiresDate": Rows.april + 1_000,
            "commitmentInfo": ["commitmentAutoRenewStatus": 1],
        ])
        let whole = try #require(Self.status(renewal))
        try DamagedJSON.forEach(of: try Rows.json(renewal)) { damage in
            let row = try JSONSerialization.jsonObject(with: Data(damage.bytes)) as? [String: Any] ?? [:]
            let found = try #require(Self.status(row), "\(damage.path) as \(damage.stranger)")
            let name = damage.path.first ?? ""
            // The status itself, and what the transaction says, never hang on the renewal.
            #expect(found.state == whole.state && found.expiresAt == whole.expiresAt && found.raw == whole.raw)
            // Without these it is not believed, and then says nothing at all.
            let isSetAside = found.autoRenew == nil && found.graceExpiresAt == nil && found.endReason == .unknown
            if ["originalTransactionId", "environment", "signedDate"].contains(name), isSetAside { return }
            if !["autoRenewStatus", "commitmentInfo"].contains(name) { #expect(found.autoRenew == whole.autoRenew) }
            if name != "autoRenewProductId" { #expect(found.autoRenewProductID == whole.autoRenewProductID) }
            if name != "gracePeriodExpiresDate" { #expect(found.graceExpiresAt == whole.graceExpiresAt) }
            if name != "expirationIntent" { #expect(found.endReason == whole.endReason) }
        }
    }

    @Test func `a signed text that is cut at any byte is set aside, and its neighbour is taken`() throws {
        let store = try SigningStore.shared.get()
        let whole = try store.sign(Rows.transaction())
        let other = try store.sign(Self.first)
        for length in 0..<whole.utf8.count {
            let page = try Rows.json([
                "environment": "Production", "bundleId": "com.acme.app", "hasMore": false, "revision": "r",
                "signedTransactions": [String(whole.utf8.prefix(length)) ?? "", other],
            ])
            let body = try SigningStoreRows.body(signed: other, renewal: nil)
            let reading = try Acme.reading(of: body, history: [page])
            #expect(reading.setAside.count == 1, "cut after \(length) bytes")
            #expect(reading.observations.flatMap(\.periods).map(\.transactionID) == ["2001"])
        }
    }

    @Test func `documents cut at any byte are refused, or were whole`() throws {
        let statuses = try Rows.statuses()
        let history = try Rows.history([Self.first], revision: "r")
        let whole = try Acme.reading(of: statuses, history: [history]).observations.map(\.periods)
        for length in statuses.indices {
            guard let reading = try? Acme.reading(of: Array(statuses[..<length]), history: [history]) else { continue }
            #expect(reading.observations.map(\.periods) == whole, "statuses cut after \(length) bytes")
        }
        for length in history.indices {
            guard let reading = try? Acme.reading(of: statuses, history: [Array(history[..<length])]) else { continue }
            #expect(reading.observations.map(\.periods) == whole, "history cut after \(length) bytes")
        }
    }

    @Test func `a document's member that is missing or strange makes no other row`() throws {
        let statuses = try Rows.statuses()
        let history = try Rows.history([Self.first, Rows.transaction()], revision: "r")
        let reading = try Acme.reading(of: statuses, history: [history])
        let whole = Set(reading.observations.flatMap(\.periods))
        let status = try #require(reading.observations.first?.status)
        var readings = 0
        func check(_ damage: DamagedJSON, _ reading: Reading?) {
            guard let reading else { return }
            readings += 1
            let place = "\(damage.path) as \(damage.stranger)"
            #expect(Set(reading.observations.flatMap(\.periods)).isSubset(of: whole), "\(place)")
            guard let found = reading.observations.first?.status else { return }
            #expect(found.state == nil || found.state == status.state || damage.path.last == "status", "\(place)")
            #expect(found.expiresAt == nil || found.expiresAt == status.expiresAt, "\(place)")
        }
        try DamagedJSON.forEach(of: statuses) { check($0, try? Acme.reading(of: $0.bytes, history: [history])) }
        try DamagedJSON.forEach(of: history) { check($0, try? Acme.reading(of: statuses, history: [$0.bytes])) }
        #expect(readings > 100, "too few answers could be read to prove anything")
    }

    private static func statusesOfFirst() throws -> [UInt8] {
        try SigningStoreRows.entry(status: 1, id: "2001", first, nil)
    }

    private static func period(_ row: [String: Any]) throws -> ObservedPeriod? {
        try Acme.reading(of: try statusesOfFirst(), history: [try Rows.history([row, first], revision: "r")])
            .observations.flatMap(\.periods).first { $0.refund != nil }
    }

    private static func status(_ renewal: [String: Any]) -> ObservedStatus? {
        let body = try? SigningStoreRows.entry(status: 2, id: "2001", Rows.transaction(), renewal)
        return body.flatMap { try? Acme.reading(of: $0) }?.observations.first?.status
    }
}
