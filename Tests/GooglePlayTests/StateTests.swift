// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing

@testable import GooglePlay

@Suite struct StateTests {
    private static func cancelled(_ how: String) -> Object { ["canceledStateContext": [how: [:] as Object]] }

    @Test(
        arguments: [
            ("PENDING", .pending), ("ACTIVE", .active), ("IN_GRACE_PERIOD", .grace), ("ON_HOLD", .billingRetry),
            ("PAUSED", .paused), ("CANCELED", .active), ("EXPIRED", .expired), ("PENDING_PURCHASE_CANCELED", .expired),
            ("PENDING_PURCHASE_EXPIRED", .expired),
        ] as [(String, SubscriptionState)])
    func `B3: each of the newer interface's states has ours, the ends among them`(
        word: String, state: SubscriptionState
    ) throws {
        let status = try #require(try Play.read(Play.subscription(word)).status)
        #expect(status.state == state)
        #expect(status.raw == word)
        #expect(status.productID == "gold.month")
        #expect(status.sourceVersion == Play.now)
    }

    @Test(arguments: ["UNSPECIFIED", "DREAMING"])
    func `an unknown word leaves the state to the last one, and is counted`(word: String) throws {
        let reading = try Play.read(Play.subscription(word))
        #expect(reading.status?.state == nil)
        #expect(reading.status?.raw == word)
        #expect(reading.unknownValues["subscription.subscriptionState=\(word)"] == 1)
    }

    @Test func `B3: a cancelled purchase runs to its expiry and is over from then on`() throws {
        let subscription = Play.subscription("CANCELED", Self.cancelled("userInitiatedCancellation"))
        let running = try #require(try Play.read(subscription).status)
        #expect(running.state == .active)
        #expect(running.autoRenew == false)
        #expect(running.endReason == nil)
        let expiry = Play.time("2026-04-01T00:00:00Z")
        let over = try #require(try Play.read(subscription, readAt: expiry).status)
        #expect(over.state == .expired)
        #expect(over.endReason == .voluntary)
        #expect(over.expiresAt == expiry)
    }

    @Test(
        arguments: [
            ("userInitiatedCancellation", .voluntary), ("systemInitiatedCancellation", .involuntary),
            ("developerInitiatedCancellation", .developer), ("replacementCancellation", .replaced),
            ("whimInitiatedCancellation", .unknown),
        ] as [(String, EndReason)])
    func `B3: who cancelled is the reason of the end`(how: String, reason: EndReason) throws {
        let reading = try Play.read(Play.subscription("EXPIRED", Self.cancelled(how)))
        #expect(reading.status?.endReason == reason)
        #expect(reading.unknownValues["subscription.canceledStateContext unknown"] == (reason == .unknown ? 1 : nil))
    }

    @Test func `an end without a cancellation has no known reason`() throws {
        #expect(try Play.read(Play.subscription("EXPIRED")).status?.endReason == .unknown)
        let withdrawn = Play.subscription("PENDING_PURCHASE_CANCELED", Self.cancelled("userInitiatedCancellation"))
        #expect(try Play.read(withdrawn).status?.endReason == .unknown)
    }

    @Test func `B7: renewal is off where it is left out, and never on for prepaid plans`() throws {
        func status(_ changes: [String: (any Sendable)?]) throws -> ObservedStatus? {
            try Play.read(Play.subscription("ACTIVE", ["lineItems": [Play.item(changes)]])).status
        }
        #expect(try status([:])?.autoRenew == true)
        #expect(try status([:])?.autoRenewProductID == "gold.month")
        #expect(try status(["autoRenewingPlan": [:] as Object])?.autoRenew == false)
        let prepaid = try status(["autoRenewingPlan": nil, "prepaidPlan": [:] as Object])
        #expect(prepaid?.autoRenew == false)
        #expect(prepaid?.autoRenewProductID == nil)
        let deferred = try status(["deferredItemReplacement": ["productId": "silver.month"]])
        #expect(deferred?.autoRenewProductID == "silver.month")
    }

    @Test func `a pause states when it ends`() throws {
        let paused = Play.subscription("PAUSED", ["pausedStateContext": ["autoResumeTime": "2026-05-01T10:00:00Z"]])
        #expect(try Play.read(paused).status?.resumesAt == Play.time("2026-05-01T10:00:00Z"))
    }

    @Test func `B3: active past the expiry stays active and is counted after 48 hours`() throws {
        let expiry = Play.time("2026-04-01T00:00:00Z")
        let due = Play.due(known: [Play.known()])
        let early = try Play.read(Play.subscription(), due: due, readAt: expiry + .hours(48))
        #expect(early.status?.state == .active)
        #expect(early.unknownValues.isEmpty)
        let late = try Play.read(Play.subscription(), due: due, readAt: expiry + .hours(48) + .seconds(1))
        #expect(late.status?.state == .active)
        #expect(late.unknownValues == ["active 48 h past expiry": 1])
    }

    @Test func `B7: of several items the longest is the purchase's and each is reported`() throws {
        let addOn = Play.item([
            "productId": "extra.month", "expiryTime": "2026-04-15T00:00:00Z",
            "latestSuccessfulOrderId": Play.base + "..3",
            "autoRenewingPlan": [:] as Object,
        ])
        let reading = try Play.read(Play.subscription("ACTIVE", ["lineItems": [Play.item(), addOn]]))
        #expect(reading.status?.productID == "extra.month")
        #expect(reading.status?.expiresAt == Play.time("2026-04-15T00:00:00Z"))
        #expect(reading.status?.autoRenew == true)
        #expect(
            reading.observations.first?.items == [
                SubscriptionItem(
                    productID: "gold.month", expiresAt: Play.time("2026-04-01T00:00:00Z"), autoRenew: true,
                    latestTransactionID: Play.base),
                SubscriptionItem(
                    productID: "extra.month", expiresAt: Play.time("2026-04-15T00:00:00Z"), autoRenew: false,
                    latestTransactionID: Play.base + "..3"),
            ])
        #expect(try Play.read(Play.subscription()).observations.first?.items == [])
        let tie = Play.item(["productId": "other.month"])
        #expect(
            try Play.read(Play.subscription("ACTIVE", ["lineItems": [Play.item(), tie]])).status?.productID
                == "gold.month")
    }

    @Test func `a test purchase is of the sandbox`() throws {
        let reading = try Play.read(Play.subscription("ACTIVE", ["testPurchase": [:] as Object]))
        #expect(reading.observations.first?.environment == .sandbox)
        #expect(try Play.read(Play.subscription()).observations.first?.environment == .production)
    }

    @Test func `unknown members are counted by name and harm nothing`() throws {
        let reading = try Play.read(
            Play.subscription("ACTIVE", ["moonPhase": 3, "lineItems": [Play.item(["colour": "red"])]]),
            due: Play.due(known: [Play.known()]))
        #expect(reading.status?.state == .active)
        #expect(reading.unknownValues == ["subscription.moonPhase": 1, "subscription.item.colour": 1])
    }

    @Test(arguments: ["{}", "[]", "{\"subscriptionState\":", "null"])
    func `an answer that is none is unreadable`(body: String) throws {
        let answer = StoreAnswer(
            inquiry: Inquiry(subscriptions: [Play.due()]), environment: .production,
            documents: [StoreAnswer.Document(endpoint: "subscription", body: Array(body.utf8))], answeredAt: Play.now)
        #expect(
            throws: UnreadableAnswer(
                reason: "malformed_json",
                message: "Google Play's answer (subscription) is not the JSON it documents.")
        ) { try Play.store().read(answer) }
    }
}

@Suite struct GraceTests {
    private static let paidUntil = Play.time("2026-04-01T00:00:00Z")

    private func status(
        _ word: String, expiry: String, _ changes: [String: (any Sendable)?] = [:],
        known: [KnownPeriod] = [Play.known()]
    ) throws -> ObservedStatus {
        let subscription = Play.subscription(
            word, changes.merging(["lineItems": [Play.item(["expiryTime": expiry])]]) { $1 })
        return try #require(
            try Play.read(subscription, due: Play.due(known: known), readAt: Play.time("2026-04-20T00:00:00Z")).status)
    }

    @Test(arguments: ["IN_GRACE_PERIOD", "ON_HOLD"])
    func `B3: what is beyond the paid period is grace`(word: String) throws {
        let status = try status(word, expiry: "2026-04-04T00:00:00Z")
        #expect(status.expiresAt == Self.paidUntil)
        #expect(status.graceExpiresAt == Play.time("2026-04-04T00:00:00Z"))
    }

    @Test func `B3: an account hold without a grace expires with what was paid`() throws {
        let status = try status("ON_HOLD", expiry: "2026-04-01T00:00:00Z")
        #expect(status.expiresAt == Self.paidUntil)
        #expect(status.graceExpiresAt == nil)
    }

    @Test func `an unpaid end retains the grace it had, another end does not`() throws {
        let system: [String: (any Sendable)?] = ["canceledStateContext": ["systemInitiatedCancellation": [:] as Object]]
        let unpaid = try status("EXPIRED", expiry: "2026-04-04T00:00:00Z", system)
        #expect(unpaid.expiresAt == Self.paidUntil)
        #expect(unpaid.graceExpiresAt == Play.time("2026-04-04T00:00:00Z"))
        let user: [String: (any Sendable)?] = ["canceledStateContext": ["userInitiatedCancellation": [:] as Object]]
        let left = try status("EXPIRED", expiry: "2026-04-04T00:00:00Z", user)
        #expect(left.expiresAt == Play.time("2026-04-04T00:00:00Z"))
        #expect(left.graceExpiresAt == nil)
    }

    @Test func `without any settled order there is nothing to be late for`() throws {
        let status = try status("IN_GRACE_PERIOD", expiry: "2026-04-04T00:00:00Z", known: [])
        #expect(status.expiresAt == Play.time("2026-04-04T00:00:00Z"))
        #expect(status.graceExpiresAt == nil)
    }
}
