// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing

@testable import AppStore

/// The answers that come seldom, and what backends hand in, damaged: the refund history, Get Transaction Info, pages of
/// the notification history, signed transactions.
///
/// Nothing crashes, and no other customer's purchase is ever reported.
@Suite(.hangLimit) struct RareAnswerFuzzTests {
    private static var row: [String: Any] { Rows.transaction(["revocationDate": Rows.signed - 1_000]) }

    /// One for all readings: making one takes longer than reading.
    private static let store = Result { try Acme.configuration().store(clock: { Acme.now }) }

    /// Only refunds were looked for; the subscription is held as running.
    private static func reading(of documents: [StoreAnswer.Document], watched: Bool) -> Reading? {
        let plain = Acme.due(answeredBefore: watched)
        let due = DueSubscription(
            key: plain.key, lineageKey: plain.key, appID: plain.appID, storeKey: plain.storeKey,
            environment: .production, accountID: nil, productID: nil, country: nil, snapshot: plain.snapshot,
            historyCursor: nil, historyReach: watched ? .fromCursor : .asNeeded, wantsOnlyRefunds: watched,
            receipt: nil, known: [])
        return try? store.get().read(
            StoreAnswer(
                inquiry: Inquiry(subscriptions: [due]), environment: .production, documents: documents,
                answeredAt: Acme.now))
    }

    /// Every damage and every cut of a document; how many of them could be read.
    private static func read(
        _ document: [UInt8], as endpoint: String, watched: Bool, _ check: (DamagedJSON, Reading) -> Void
    ) throws -> Int {
        var readings = 0
        for damage in try DamagedAnswers(of: document).all {
            let document = StoreAnswer.Document(endpoint: endpoint, body: damage.bytes)
            guard let reading = reading(of: [document], watched: watched) else { continue }
            readings += 1
            check(damage, reading)
        }
        return readings
    }

    @Test func `a damaged refund history says nothing new of a subscription's status`() throws {
        let page = try Rows.history([Self.row], revision: "r")
        let whole = try #require(
            Self.reading(of: [StoreAnswer.Document(endpoint: "refund_history", body: page)], watched: true))
        let periods = Set(whole.observations.flatMap(\.periods))
        #expect(periods.count == 1)
        let readings = try Self.read(page, as: "refund_history", watched: true) { damage, reading in
            let place = "\(damage.path) as \(damage.stranger)"
            #expect(Set(reading.observations.flatMap(\.periods)).isSubset(of: periods), "\(place)")
            #expect(reading.observations.first?.status?.state == .active, "\(place)")
            #expect(reading.observations.count == 1, "\(place)")
        }
        #expect(readings > 20, "too few answers could be read to prove anything")
    }

    @Test func `a damaged transaction information names the transaction or nothing`() throws {
        let signed = try SigningStore.shared.get().sign(Self.row)
        let body = try Rows.json(["signedTransactionInfo": signed])
        let readings = try Self.read(body, as: "transaction", watched: false) { damage, reading in
            Issue.record("\(damage.path) as \(damage.stranger) was believed: \(reading.observations.count)")
        }
        #expect(readings == 0)
        #expect(Self.reading(of: [.init(endpoint: "transaction", body: body)], watched: false) != nil)
    }

    @Test func `a signed transaction that was handed in damaged is that purchase, or waits, or is refused`() throws {
        let store = try Acme.configuration().store(clock: { Acme.now })
        let signing = try SigningStore.shared.get()
        var (asked, others) = (0, 0)
        try DamagedJSON.forEach(of: try Rows.json(Rows.transaction())) { damage in
            let row = try JSONSerialization.jsonObject(with: Data(damage.bytes)) as? [String: Any] ?? [:]
            let purchase = SubmittedPurchase(kind: .signedTransaction, payload: Secret(try signing.sign(row)))
            guard case .toAsk(let examined) = store.examine(purchase) else { return others += 1 }
            asked += 1
            let place = "\(damage.path) as \(damage.stranger)"
            if case .storeKey(let key) = examined.handle, damage.path != ["originalTransactionId"] {
                #expect(key == Secret("2001"), "\(place)")
            }
            if damage.path != ["transactionId"] { #expect(examined.transactionID == "2002", "\(place)") }
            if damage.path != ["productId"] { #expect(examined.productID == "gold.month", "\(place)") }
            if damage.path != ["environment"] { #expect(examined.environment == .production, "\(place)") }
            if damage.path != ["expiresDate"] {
                #expect(examined.expiresAt == Instant(milliseconds: Rows.april), "\(place)")
            }
        }
        #expect(asked > 150 && others > 30, "\(asked) asked and \(others) not prove too little")
    }

    @Test func `a signed transaction that was cut at any byte is not genuine`() throws {
        let store = try Acme.configuration().store(clock: { Acme.now })
        let whole = try SigningStore.shared.get().sign(Rows.transaction())
        for length in 0..<whole.utf8.count {
            let cut = Secret(String(whole.utf8.prefix(length)) ?? "")
            guard case .refused(let refusal) = store.examine(SubmittedPurchase(kind: .signedTransaction, payload: cut))
            else {
                Issue.record("cut after \(length) bytes")
                continue
            }
            #expect(refusal.genuine == false)
        }
    }

    /// Over real sockets, page after damaged page.
    @Test func `a damaged page of the notification history brings its own notifications or none`() async throws {
        let signing = try SigningStore.shared.get()
        let payloads = try ["one", "two"].map { uuid in
            try signing.sign(["notificationType": "TEST", "notificationUUID": uuid, "signedDate": Rows.signed])
        }
        let page = try Rows.json(
            [
                "hasMore": true, "paginationToken": "p",
                "notificationHistory": payloads.map { ["signedPayload": $0, "sendAttempts": [[String: String]]()] },
            ] as [String: Any])
        let answers = try DamagedAnswers(of: page)
        let server = try LoopbackServer { _, _ in answers.answer }
        let store = try Acme.configuration(url: server.url).store(clock: { Acme.now })
        var brought = 0
        for damage in answers.all where damage.path != [] || damage.bytes.count % 97 == 0 {
            answers.report(damage)
            // A client for each: a store that only ever answers nonsense is left alone.
            let found = try await Self.firstPage(of: store, through: Acme.client())
            brought += found.count
            let isOfPayload = damage.path.last == "signedPayload"
            #expect(isOfPayload || found.allSatisfy(payloads.contains), "\(damage.path) as \(damage.stranger)")
        }
        #expect(brought > 100, "too few notifications were brought to prove anything")
    }

    private static func firstPage(
        of store: any Store, through client: ThrottledClient
    ) async throws -> [String] {
        var pull = try #require(store.pull(since: Acme.now, until: Acme.now + .hours(1), through: client))
        let batch = try? await pull.next()
        return batch?.notifications.map { $0.payload.reveal() } ?? []
    }
}
