// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing

@testable import AppStore

/// What is asked seldom: Get Transaction Info for ids that are no subscription's, and the refund watch.
@Suite(.hangLimit) struct ServerResolveTests {
    typealias Answering = @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Answer

    private static let unknown = LoopbackServer.Answer(404, #"{"errorCode":4040010,"errorMessage":"No."}"#)

    /// Asks, and reads what was answered.
    private func ask(
        _ due: DueSubscription, answer: @escaping Answering
    ) async throws -> (result: Result<StoreAnswer, StoreFailure>, paths: [String], store: any Store) {
        let server = try LoopbackServer(answer)
        let store = try Acme.configuration(url: server.url).store(clock: { Acme.now })
        let inquiry = try #require(store.inquiries(for: [due]).first)
        do throws(StoreFailure) {
            let answer = try await store.ask(inquiry, through: Acme.conversation())
            return (.success(answer), server.requests.map(\.path), store)
        } catch {
            return (.failure(error), server.requests.map(\.path), store)
        }
    }

    private static func info(_ row: [String: Any]) throws -> String {
        let signed = try SigningStore.shared.get().sign(row)
        return String(decoding: try Rows.json(["signedTransactionInfo": signed]), as: UTF8.self)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func watched(
        _ known: [KnownPeriod], state: SubscriptionState = .active, cursor: String? = "r7"
    ) -> DueSubscription {
        let plain = Acme.due()
        var snapshot = SubscriptionSnapshot(
            state: state, stateRaw: state == .active ? "1" : "2", productID: "gold.month", autoRenew: true,
            expiresAt: Instant(milliseconds: Rows.april), lastCheckedAt: Acme.now - .days(9))
        snapshot.endReason = state == .expired ? .voluntary : nil
        return DueSubscription(
            key: plain.key, lineageKey: plain.key, appID: plain.appID, storeKey: plain.storeKey,
            environment: .production, accountID: nil, productID: nil, country: nil, snapshot: snapshot,
            historyCursor: cursor, wantsHistory: true, wantsOnlyRefunds: true, receipt: nil, known: known)
    }

    private static func givenBack(_ kind: RefundKind, at: Int64 = Rows.signed - 1_000) -> KnownPeriod {
        KnownPeriod(
            transactionID: "2002", productID: "gold.month", periodKey: "9002", kind: .renewal,
            isTrialConversion: false, purchasedAt: Instant(milliseconds: Rows.march),
            start: Instant(milliseconds: Rows.march), end: Instant(milliseconds: Rows.april), priceMicros: nil,
            currency: nil, refundedAt: Instant(milliseconds: at), refundKind: kind, isUpgraded: false)
    }

    @Test func `A1: a first id that is no subscription's is looked up, and its original one asked about`() async throws
    {
        let statuses = Self.text(try Rows.statuses())
        let page = Self.text(try Rows.history([Rows.transaction()], revision: "r1"))
        let info = try Self.info(Rows.transaction())
        let (result, paths, store) = try await ask(Acme.due("2002", answeredBefore: false)) { request, _ in
            switch request.path {
            case "/inApps/v1/transactions/2002": .init(200, info)
            case "/inApps/v1/subscriptions/2001": .init(200, statuses)
            case let path where path.hasPrefix("/inApps/v2/history/2001"): .init(200, page)
            default: Self.unknown
            }
        }
        #expect(
            paths == [
                "/inApps/v1/subscriptions/2002", "/sandbox/inApps/v1/subscriptions/2002",
                "/inApps/v1/transactions/2002", "/inApps/v1/subscriptions/2001",
                "/inApps/v2/history/2001?sort=ASCENDING",
            ])
        let reading = try store.read(try result.get())
        #expect(reading.observations.map(\.storeKey) == ["2002", "2001"].map(Secret.init))
        #expect(reading.observations[1].periods.map(\.transactionID) == ["2002"])
        #expect(reading.observations.map(\.isStandIn) == [true, false])
        #expect(reading.observations[0].linkedTo == Secret("2001"))
    }

    /// One page of twenty a call: 250 of them are 5,000 transactions, and a customer of consumables has more.
    @Test func `B8: a long history ends for the night after 250 pages, and goes on from there in the next`()
        async throws
    {
        let statuses = Self.text(try Rows.statuses())
        let bare = try Rows.json(["bundleId": "com.acme.app", "environment": "Production", "signedTransactions": []])
        let page = String(Self.text(bare).dropLast())
        for (cursor, first) in [(nil, 1), ("more:r300", 301)] as [(String?, Int)] {
            let due = Acme.due(answeredBefore: cursor != nil, cursor: cursor, known: [Acme.known()])
            let (result, paths, _) = try await ask(due) { request, number in
                guard request.path.contains("/history/") else { return .init(200, statuses) }
                return .init(200, page + #","hasMore":true,"revision":"r\#(first + number - 2)"}"#)
            }
            let history = paths.filter { $0.contains("/history/") }
            #expect(history.count == 250)
            #expect(history.first?.hasSuffix("revision=r300") == (cursor != nil))
            #expect(try result.get().documents.count == 251)
        }
        // The same place twice is no progress.
        let (circle, _, _) = try await ask(Acme.due(answeredBefore: false)) { request, _ in
            guard request.path.contains("/history/") else { return .init(200, statuses) }
            return .init(200, page + #","hasMore":true,"revision":"r1"}"#)
        }
        #expect(circle.failure?.reason == "history_in_a_circle")
    }

    @Test func `a transaction of the sandbox is looked up there, after production`() async throws {
        let info = try Self.info(Rows.transaction(["transactionId": "2001", "environment": "Sandbox"]))
        let (result, paths, store) = try await ask(Acme.due(environment: nil, answeredBefore: false)) { request, _ in
            request.path == "/sandbox/inApps/v1/transactions/2001" ? .init(200, info) : Self.unknown
        }
        #expect(
            paths == [
                "/inApps/v1/subscriptions/2001", "/sandbox/inApps/v1/subscriptions/2001",
                "/inApps/v1/transactions/2001", "/sandbox/inApps/v1/transactions/2001",
            ])
        // It is its own original: what is known of it is booked, and its state waits for the store to know one.
        let reading = try store.read(try result.get())
        #expect(reading.observations.map(\.environment) == [.sandbox])
        #expect(reading.observations.first?.periods.map(\.transactionID) == ["2001"])
        #expect(reading.observations.first?.status?.state == nil)
    }

    @Test func `an id that is no transaction either is not found, and one that answered before is not looked up`()
        async throws
    {
        let first = try await ask(Acme.due(answeredBefore: false)) { _, _ in Self.unknown }
        #expect(first.result.failure?.reason == "error_4040010")
        #expect(first.paths.count == 4)
        let later = try await ask(Acme.due()) { _, _ in Self.unknown }
        #expect(later.result.failure?.kind == .notFound)
        #expect(!later.paths.contains { $0.contains("transactions") })
    }

    @Test func `a looked-up row that the store did not sign makes no subscription`() async throws {
        let signers = try Signers.shared.get()
        let forged = try signers.sign(Rows.transaction(["transactionId": "2001"]), by: signers.good)
        let info = Self.text(try Rows.json(["signedTransactionInfo": forged]))
        let (result, _, store) = try await ask(Acme.due(answeredBefore: false)) { request, _ in
            request.path.contains("transactions") ? .init(200, info) : Self.unknown
        }
        let answer = try result.get()
        #expect(throws: UnreadableAnswer.self) { try store.read(answer) }
    }

    private static func changes(
        _ rows: [[String: Any]], revision: String = "r8", hasMore: Bool = false
    ) throws -> String {
        text(try Rows.history(rows, revision: revision, hasMore: hasMore))
    }

    @Test("B8: the refund watch of a subscription that runs on is one call of the history from its cursor")
    func quietWatch() async throws {
        let empty = try Self.changes([])
        let due = Self.watched([Acme.known()])
        let (result, paths, store) = try await ask(due) { _, _ in .init(200, empty) }
        #expect(paths == ["/inApps/v2/history/2001?sort=ASCENDING&revision=r7"])
        let observation = try #require(try store.read(try result.get()).observations.first)
        #expect(observation.status?.state == .active)
        #expect(observation.status?.expiresAt == Instant(milliseconds: Rows.april))
        #expect(observation.status?.raw == "1")
        #expect(observation.status?.autoRenew == true)
        #expect(observation.historyCursor == "r8")
        #expect(observation.periods.isEmpty)
    }

    /// A refund in part, one of an older purchase, of another subscription, of a one-time product, a refund that vanished,
    /// and a price that is known at last: nothing of it is in a status.
    @Test(
        "B6: whatever the watched history tells is booked, and the status is asked",
        arguments: ["partial", "vanished", "price", "other", "one-time"])
    func tellingWatch(what: String) async throws {
        let row =
            switch what {
            case "partial":
                Rows.transaction([
                    "revocationDate": Rows.signed - 1_000, "revocationType": "REFUND_PRORATED",
                    "revocationPercentage": 40_000,
                ])
            case "other":
                Rows.transaction(["transactionId": "3001", "originalTransactionId": "3001", "revocationDate": 1])
            case "one-time":
                Rows.transaction([
                    "transactionId": "4001", "originalTransactionId": "4001", "webOrderLineItemId": nil,
                    "type": "Consumable", "expiresDate": nil, "revocationDate": Rows.signed - 1_000,
                ])
            default: Rows.transaction()
            }
        let (page, statuses) = (try Self.changes([row]), Self.text(try Rows.statuses()))
        let known = what == "vanished" ? Self.givenBack(.full) : Acme.known()
        let (result, paths, store) = try await ask(Self.watched([known], state: .expired)) { request, _ in
            .init(200, request.path.contains("/history/") ? page : statuses)
        }
        #expect(paths == ["/inApps/v2/history/2001?sort=ASCENDING&revision=r7", "/inApps/v1/subscriptions/2001"])
        let answer = try result.get()
        #expect(answer.documents.map(\.endpoint) == ["statuses", "history"])
        let reading = try store.read(answer)
        // The state is the store's own word again.
        #expect(reading.observations.first?.status?.state == .active)
        #expect(reading.observations.first?.historyCursor == "r8")
        let id = row["transactionId"] as? String
        #expect(reading.observations.flatMap(\.periods).contains { $0.transactionID == id })
    }

    @Test("B8: a watched history that cannot be read is asked for with the status", arguments: ["stale", "circle"])
    func unreadableWatch(what: String) async throws {
        let (page, statuses) = (try Self.changes([]), Self.text(try Rows.statuses()))
        let circle = try Self.changes([], revision: "r7", hasMore: true)
        let (_, paths, _) = try await ask(Self.watched([Acme.known()])) { request, number in
            if number == 1 {
                return what == "stale"
                    ? .init(400, #"{"errorCode":4000005,"errorMessage":"No."}"#) : .init(200, circle)
            }
            return .init(200, request.path.contains("/history/") ? page : statuses)
        }
        #expect(paths.suffix(2).first == "/inApps/v1/subscriptions/2001")
        #expect(paths.last == "/inApps/v2/history/2001?sort=ASCENDING&revision=r7")
    }

    @Test("B8: where there is no cursor, the refund history is enough when it tells what we know")
    func watchWithoutCursor() async throws {
        let refund = Rows.transaction(["revocationDate": Rows.signed - 1_000])
        let page = Self.text(try Rows.history([refund], revision: "x"))
        let due = Self.watched([Self.givenBack(.full)], state: .expired, cursor: nil)
        let (result, paths, store) = try await ask(due) { _, _ in .init(200, page) }
        #expect(paths == ["/inApps/v2/refund/lookup/2001"])
        let observation = try #require(try store.read(try result.get()).observations.first)
        #expect(observation.status?.state == .expired)
        #expect(observation.status?.endReason == .voluntary)
        #expect(observation.historyCursor == nil)
    }

    /// A new refund, one at another instant, one that vanished, one that may have grown, one of another purchase, more
    /// pages, and a failure.
    @Test(arguments: ["new", "moved", "vanished", "partial", "other", "pages", "unreadable", "unknown"])
    func `B8: news in the refund history asks statuses and history`(what: String) async throws {
        let refund = Rows.transaction(["revocationDate": Rows.signed - 1_000])
        let other = Rows.transaction(["originalTransactionId": "3001", "transactionId": "3001", "revocationDate": 1])
        let rows = what == "vanished" ? [] : what == "other" ? [refund, other] : [refund]
        var page = Self.text(try Rows.history(rows, revision: "x", hasMore: what == "pages"))
        if what == "unreadable" { page = #"{"hasMore":false,"signedTransactions":["a.b.c"]}"# }
        let known =
            switch what {
            case "new": Acme.known()
            case "moved": Self.givenBack(.full, at: Rows.signed - 2_000)
            case "partial": Self.givenBack(.partial)
            default: Self.givenBack(.full)
            }
        let (body, statuses) = (page, Self.text(try Rows.statuses()))
        let history = Self.text(try Rows.history([refund], revision: "r8"))
        let (result, paths, _) = try await ask(Self.watched([known], cursor: nil)) { request, _ in
            switch request.path {
            case let path where path.contains("/refund/"): what == "unknown" ? Self.unknown : .init(200, body)
            case let path where path.contains("/history/"): .init(200, history)
            default: .init(200, statuses)
            }
        }
        #expect(
            paths == [
                "/inApps/v2/refund/lookup/2001", "/inApps/v1/subscriptions/2001",
                "/inApps/v2/history/2001?sort=ASCENDING",
            ])
        #expect(try result.get().documents.map(\.endpoint) == ["statuses", "history"])
    }

    @Test(arguments: [nil, "r7"] as [String?])
    func `a 401 of the watched history stops the app`(cursor: String?) async throws {
        let (result, paths, _) = try await ask(Self.watched([Acme.known()], cursor: cursor)) { _, _ in .init(401) }
        #expect(result.failure?.kind == .credential)
        #expect(paths.count == 1)
    }

    @Test func `each endpoint has its own quota, the sandbox a tenth of it`() {
        for (endpoint, rate) in [
            (AppStoreEndpoints.statuses, 50), (AppStoreEndpoints.history, 50), (AppStoreEndpoints.transactionInfo, 50),
            (AppStoreEndpoints.refunds, 10),
        ] as [((PurchaseEnvironment) -> Endpoint, Double)] {
            #expect(endpoint(.production).publishedRate == rate)
            #expect(endpoint(.sandbox).publishedRate == rate / 10)
            #expect(endpoint(.sandbox).name != endpoint(.production).name)
        }
    }

    /// Both generations of the store's names, and any other place.
    @Test(arguments: ["https://api.storekit.apple.com", "https://api.storekit.itunes.apple.com", "http://127.0.0.1:9"])
    func `the hosts are the owner's to name`(url: String) throws {
        let configuration = try Acme.configuration(url: url, sandboxURL: url + "/sandbox")
        let store = try #require(try configuration.store(clock: { Acme.now }) as? AppStoreServer)
        #expect(store.server.productionURL == url)
        #expect(store.server.sandboxURL == url + "/sandbox")
        let plain = AppStoreConfiguration.Server(
            issuerID: "i", keyID: "k", privateKey: Secret("p"), rootCertificate: [])
        #expect(plain.productionURL == "https://api.storekit.apple.com")
        #expect(plain.sandboxURL == "https://api.storekit-sandbox.apple.com")
    }
}
