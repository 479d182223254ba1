// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model
import Signing
import Stores
import TestSupport
import Testing

@testable import AppStore

/// What an answer holds besides the one row: other subscriptions, pages, strangers.
@Suite struct ServerAnswerTests {
    private let first = Rows.transaction([
        "transactionId": "2001", "webOrderLineItemId": "9001", "purchaseDate": Rows.march - 2_419_200_000,
        "expiresDate": Rows.march, "transactionReason": "PURCHASE",
    ])

    @Test func `B8: history pages add their rows and leave the last revision`() throws {
        let other = Rows.transaction(["transactionId": "3001", "originalTransactionId": "3001", "productId": "silver"])
        let coins = Rows.transaction([
            "transactionId": "4001", "originalTransactionId": "4001", "productId": "coins", "type": "Consumable",
            "expiresDate": nil, "webOrderLineItemId": nil,
        ])
        let reading = try Acme.read(
            try Rows.statuses(),
            history: [
                try Rows.history([other, first], revision: "r1", hasMore: true),
                try Rows.history([Rows.transaction(), coins], revision: "r2"),
            ])
        #expect(reading.observations.map(\.storeKey) == ["2001", "3001", "4001"].map(Secret.init))
        #expect(reading.observations.map(\.historyCursor) == ["r2", nil, nil])
        #expect(reading.observations[0].periods.map(\.transactionID) == ["2001", "2002"])
        #expect(reading.observations[0].periods.map(\.hint) == [.purchase, .renewal])
        // The others' states wait for their own check.
        #expect(reading.observations.dropFirst().allSatisfy { $0.status == nil })
        #expect(reading.observations[2].periods.first?.isAutoRenewable == false)
        #expect(reading.observations[2].periods.first?.periodKey == "4001")
        #expect(reading.observations[2].periods.first?.end == nil)
    }

    @Test func `the same transaction twice is read as it was signed last, in any order`() throws {
        let later = Rows.transaction(["revocationDate": Rows.signed, "signedDate": Rows.signed + 5])
        let pages = [[later, first], [first, later], [later, Rows.transaction(), first]]
        let readings = try pages.map {
            try Acme.read(try Rows.statuses(), history: [try Rows.history($0, revision: "r")])
        }
        for reading in readings {
            let periods = try #require(reading.observations.first?.periods)
            #expect(periods.map(\.transactionID) == ["2001", "2002"])
            #expect(periods[1].refund?.kind == .full)
            #expect(periods[1].sourceVersion == Instant(milliseconds: Rows.signed + 5))
        }
    }

    @Test func `B8: without history the cursor stays, and a page without revision drops it`() throws {
        let due = Acme.due(cursor: "r7")
        #expect(try Acme.read(try Rows.statuses(), due: due).observations[0].historyCursor == "r7")
        let pages = [try Rows.history([first], revision: nil)]
        #expect(try Acme.read(try Rows.statuses(), history: pages, due: due).observations[0].historyCursor == nil)
    }

    @Test(
        arguments: [
            (["bundleId": nil], "missing_bundle"), (["bundleId": "com.other"], "wrong_bundle"),
            (["environment": "Sandbox"], "wrong_environment"), (["environment": "Xcode"], "wrong_environment"),
            (["environment": "LocalTesting"], "wrong_environment"), (["expiresDate": nil], "missing_field"),
            (["purchaseDate": "soon"], "missing_field"), (["productId": ""], "missing_field"),
        ] as [([String: String?], String)])
    func `a row that is not ours or not whole is set aside alone`(changes: [String: String?], reason: String) throws {
        var bad = changes.mapValues { $0 as Any? }
        bad["transactionId"] = "2005"
        let page = try Rows.history([Rows.transaction(bad), first], revision: "r")
        let reading = try Acme.read(try Rows.statuses(), history: [page])
        #expect(reading.setAside.map(\.reason) == [reason])
        #expect(reading.observations[0].periods.map(\.transactionID) == ["2001", "2002"])
        #expect(reading.observations[0].status?.state == .active)
    }

    @Test func `a row whose signature is wrong is set aside`() throws {
        let good = try SigningStore.shared.get().sign(first)
        let forged = String(good.dropLast(4)) + "AAAA"
        let page = try Rows.json(["revision": "r", "hasMore": false, "signedTransactions": [forged, 17, good]])
        let reading = try Acme.read(try Rows.statuses(), history: [page])
        #expect(reading.setAside.map(\.reason) == ["not_verified", "malformed_row"])
        #expect(reading.observations[0].periods.map(\.transactionID) == ["2001", "2002"])
    }

    @Test func `a status whose own row cannot be believed has no state`() throws {
        let stranger = Rows.transaction(["bundleId": nil])
        let reading = try Acme.read(
            try Rows.statuses(status: 2, stranger), history: [try Rows.history([first], revision: "r")])
        #expect(reading.observations[0].status?.state == nil)
        #expect(reading.observations[0].status?.raw == "2")
        #expect(
            reading.setAside == [
                RefusedRow(
                    storeKey: Secret("2001"), reason: "missing_bundle", detail: "The row names no app.",
                    transactionID: "2002")
            ])
        #expect(reading.observations[0].periods.map(\.transactionID) == ["2001"])
    }

    @Test func `renewal information of another subscription is set aside`() throws {
        let renewal = Rows.renewal(["originalTransactionId": "6666", "autoRenewStatus": 0])
        let reading = try Acme.read(try Rows.statuses(status: 1, Rows.transaction(), renewal))
        #expect(reading.setAside.map(\.reason) == ["strange_renewal"])
        #expect(reading.observations[0].status?.autoRenew == nil)
    }

    @Test(
        arguments: [
            (["bundleId": "com.other"], "wrong_bundle"), (["environment": "Sandbox"], "wrong_environment"),
            (["appAppleId": 99], "wrong_app_apple_id"),
        ] as [([String: any Sendable], String)])
    func `an answer about something else is refused whole`(changes: [String: any Sendable], reason: String) throws {
        let body = try Rows.statuses([try Rows.entry()], changes.mapValues { $0 as Any? })
        #expect(refusal { try Acme.read(body) } == reason)
    }

    @Test func `an answer that does not speak of what was asked is refused`() throws {
        let body = try Rows.statuses()
        #expect(refusal { try Acme.read(body, due: Acme.due("5555")) } == "not_about_request")
        let empty = try Rows.statuses([])
        #expect(refusal { try Acme.read(empty) } == "not_about_request")
        let unbelievable = try Rows.statuses(status: 1, Rows.transaction(["bundleId": "com.other"]))
        #expect(refusal { try Acme.read(unbelievable) } == "wrong_bundle")
    }

    @Test func `where only the history knows the subscription its state stays as it was`() throws {
        let other = try Rows.statuses(
            status: 1, Rows.transaction(["originalTransactionId": "3001", "transactionId": "3001"]),
            Rows.renewal(["originalTransactionId": "3001"]))
        let reading = try Acme.read(other, history: [try Rows.history([first], revision: "r")])
        #expect(reading.observations[0].status?.state == nil)
        #expect(reading.observations[0].periods.map(\.transactionID) == ["2001"])
        #expect(reading.unknownValues == ["status absent": 1])
    }

    @Test func `the archive stores each certificate header once and gives it back`() throws {
        let body = try Rows.statuses()
        let archived = try #require(try Acme.read(body).archive.first)
        let (id, header) = try #require(archived.chains.first)
        #expect(archived.chains.count == 1)
        let chain = try SigningStore.shared.get().chain
        #expect(id == Hex.encode(SHA256.digest(chain[0] + chain[1])))
        #expect(!archived.body.contains(header))
        #expect(archived.body.count < body.count / 2)
        #expect(Array(ArchivedRows.restored(archived.body, chains: archived.chains).utf8) == body)
        // Its rows can be read, and are half as long.
        #expect(archived.body.contains(#".{\"bundleId\":\"com.acme.app\""#))
    }

    @Test func `an answer equal but for its signing time and its order has the same content`() throws {
        func hash(_ bodies: [[String: Any]]) throws -> String? {
            try Acme.read(try Rows.statuses(bodies)).archive.first?.answerHash
        }
        let other = Rows.transaction(["originalTransactionId": "3001", "transactionId": "3001"])
        let otherRenewal = Rows.renewal(["originalTransactionId": "3001"])
        let once = try hash([try Rows.entry(), try Rows.entry(other, otherRenewal)])
        let again = try hash([
            try Rows.entry(other, otherRenewal),
            try Rows.entry(
                Rows.transaction(["signedDate": Rows.signed + 9]), Rows.renewal(["signedDate": Rows.signed + 9])),
        ])
        #expect(once == again)
        #expect(once?.count == 32)
        #expect(once != (try hash([try Rows.entry(status: 2), try Rows.entry(other, otherRenewal)])))
    }

    @Test func `an answer cut anywhere or full of nonsense never crashes the reader`() throws {
        let whole = try Rows.statuses()
        for length in stride(from: 0, to: whole.count, by: 50) {
            #expect(refusal { try Acme.read(Array(whole[..<length])) } == "malformed_json")
        }
        for index in stride(from: 0, to: whole.count, by: 50) {
            var bent = whole
            bent[index] ^= 0x04
            _ = try? Acme.read(bent)
        }
        let deep = Array((String(repeating: "[", count: 100_000)).utf8)
        #expect(refusal { try Acme.read(deep) } == "malformed_json")
    }

    private func refusal(_ body: () throws -> Reading) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? UnreadableAnswer)?.reason
        }
    }
}
