// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import TestSupport
import Testing

@testable import AppStore

/// A refund, a reversal, a revocation or an extension of a row that is not the newest, told of by a notification: the statuses go on
/// showing the newest row, and the history behind its cursor need not list the other again.
@Suite(.hangLimit) struct NotifiedRowTests {
    /// Two hours before the answers of these tests.
    private static let sent = Rows.signed - 2 * 3_600_000
    private static let february = Rows.march - 28 * 24 * 3_600_000

    /// February's row, refunded an hour before the notification was sent.
    private static func row(_ changes: [String: Any?] = [:]) -> [String: Any] {
        var row = Rows.transaction([
            "transactionId": "2001", "webOrderLineItemId": "9001", "purchaseDate": february, "expiresDate": Rows.march,
            "signedDate": sent, "revocationDate": sent - 3_600_000, "revocationType": "REFUND_FULL",
            "revocationReason": 1,
        ])
        for (name, value) in changes { row[name] = value }
        return row
    }

    /// February and March are known, as they were said to be at that instant.
    private static func due(_ rows: [[String: Any]], knownOf version: Int64) throws -> DueSubscription {
        let plain = Acme.due(cursor: "r7")
        let known = [("2001", "9001", february, Rows.march), ("2002", "9002", Rows.march, Rows.april)].map {
            let facts = Acme.known($0.0, periodKey: $0.1, start: $0.2, end: $0.3).facts
            return KnownPeriod(facts, kind: .renewal, sourceVersion: Instant(milliseconds: version))
        }
        return DueSubscription(
            key: plain.key, lineageKey: plain.lineageKey, appID: plain.appID, storeKey: plain.storeKey,
            environment: .production, accountID: nil, productID: nil, country: nil, snapshot: plain.snapshot,
            historyCursor: "r7", receipt: nil, known: known,
            notifiedRows: try rows.map { Secret(try SigningStore.shared.get().sign($0)) })
    }

    private static func read(
        _ due: DueSubscription, info: String? = nil, refusal: LoopbackServer.Answer = ServerTalk.unknown
    ) async throws -> (reading: Reading, paths: [String], documents: [String]) {
        let statuses = ServerTalk.text(try Rows.statuses())
        let (result, paths, store) = try await ServerTalk.ask(due) { request, _ in
            guard request.path.contains("/transactions/") else { return .init(200, statuses) }
            return info.map { .init(200, $0) } ?? refusal
        }
        let answer = try result.get()
        return (try store.read(answer), paths, answer.documents.map(\.endpoint))
    }

    private static let statusPath = "/inApps/v1/subscriptions/2001"

    @Test func `B6: a row that is newer than ours is read as the notification has it, and is not asked for`()
        async throws
    {
        let due = try Self.due([Self.row()], knownOf: Self.sent - 1)
        let (reading, paths, documents) = try await Self.read(due)
        #expect(paths == [Self.statusPath])
        #expect(documents == ["statuses", "notification"])
        let observation = try #require(reading.observations.first)
        #expect(observation.status?.state == .active)
        let refunded = try #require(observation.periods.first { $0.transactionID == "2001" })
        #expect(refunded.refund?.at == Instant(milliseconds: Self.sent - 3_600_000))
        // The store's own word, as of its signature; the evidence is the notification's row and not the statuses.
        #expect(refunded.sourceVersion == Instant(milliseconds: Self.sent))
        #expect(reading.archive.map(\.endpoint) == ["statuses", "notification"])
        #expect(reading.documentHashes["2001"] == reading.archive.last?.answerHash)
        #expect(reading.documentHashes["2002"] == reading.archive.first?.answerHash)
    }

    @Test func `B6: a reversal is a row without its refund`() async throws {
        let row = Self.row(["revocationDate": nil, "revocationType": nil, "revocationReason": nil])
        let (reading, _, _) = try await Self.read(try Self.due([row], knownOf: Self.sent - 1))
        #expect(reading.observations.first?.periods.first { $0.transactionID == "2001" }?.refund == nil)
    }

    /// An older notification says less than what we hold: the store says what it is now.
    @Test func `B6: where ours is as new, the transaction is asked for`() async throws {
        let now = try ServerTalk.info(Self.row(["signedDate": Rows.signed, "revocationDate": nil]))
        let (reading, paths, documents) = try await Self.read(
            try Self.due([Self.row(), Self.row(["signedDate": Self.sent - 5])], knownOf: Self.sent), info: now)
        #expect(paths == [Self.statusPath, "/inApps/v1/transactions/2001"])
        #expect(documents == ["statuses", "transaction"])
        let row = try #require(reading.observations.first?.periods.first { $0.transactionID == "2001" })
        #expect(row.sourceVersion == Instant(milliseconds: Rows.signed) && row.refund == nil)
    }

    @Test func `a transaction that the store no longer knows is left as it is`() async throws {
        let (reading, paths, documents) = try await Self.read(try Self.due([Self.row()], knownOf: Self.sent))
        #expect(paths.count == 2 && documents == ["statuses"])
        #expect(reading.observations.first?.periods.map(\.transactionID) == ["2002"])
    }

    /// By a word of its own, whichever: the statuses were answered, and what we hold is as new as the notification.
    @Test(arguments: [(400, 4_000_006), (404, 4_040_004), (500, 5_000_000)] as [(Int, Int)])
    func `a transaction that the store refuses spoils no check`(status: Int, code: Int) async throws {
        let refusal = LoopbackServer.Answer(status, #"{"errorCode":\#(code),"errorMessage":"no"}"#)
        let (reading, _, documents) = try await Self.read(
            try Self.due([Self.row()], knownOf: Self.sent), refusal: refusal)
        #expect(documents == ["statuses"])
        #expect(reading.observations.first?.periods.map(\.transactionID) == ["2002"])
    }

    @Test func `what the statuses list is newer than its notification`() async throws {
        let newest = Rows.transaction(["signedDate": Self.sent, "revocationDate": Self.sent])
        let (reading, _, documents) = try await Self.read(try Self.due([newest], knownOf: Self.sent - 1))
        #expect(documents == ["statuses"])
        #expect(reading.observations.first?.periods.map(\.refund) == [nil])
    }

    /// Its chain and app are looked at like those of every row.
    @Test func `a row of another app is set aside`() async throws {
        let (reading, _, _) = try await Self.read(
            try Self.due([Self.row(["bundleId": "com.other.app"])], knownOf: Self.sent - 1))
        #expect(reading.setAside.map(\.reason) == ["wrong_bundle"])
        #expect(reading.observations.first?.periods.map(\.transactionID) == ["2002"])
    }
}
