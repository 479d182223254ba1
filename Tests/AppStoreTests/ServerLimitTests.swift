// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import TestSupport
import Testing

@testable import AppStore

/// How much the App Store's server is asked in a night, how fast, and under which names.
@Suite(.hangLimit) struct ServerLimitTests {
    /// One page of twenty a call: 250 of them are 5,000 transactions, and a customer of consumables has more.
    @Test func `B8: a long history ends for the night after 250 pages, and goes on from there in the next`()
        async throws
    {
        let statuses = ServerTalk.text(try Rows.statuses())
        let bare = try Rows.json(["bundleId": "com.acme.app", "environment": "Production", "signedTransactions": []])
        let page = String(ServerTalk.text(bare).dropLast())
        for (cursor, first) in [(nil, 1), ("more:r300", 301)] as [(String?, Int)] {
            let due = Acme.due(answeredBefore: cursor != nil, cursor: cursor, known: [Acme.known()])
            let (result, paths, _) = try await ServerTalk.ask(due) { request, number in
                guard request.path.contains("/history/") else { return .init(200, statuses) }
                return .init(200, page + #","hasMore":true,"revision":"r\#(first + number - 2)"}"#)
            }
            let history = paths.filter { $0.contains("/history/") }
            #expect(history.count == 250)
            #expect(history.first?.hasSuffix("revision=r300") == (cursor != nil))
            #expect(try result.get().documents.count == 251)
        }
        // The same place twice is no progress.
        let (circle, _, _) = try await ServerTalk.ask(Acme.due(answeredBefore: false)) { request, _ in
            guard request.path.contains("/history/") else { return .init(200, statuses) }
            return .init(200, page + #","hasMore":true,"revision":"r1"}"#)
        }
        #expect(circle.failure?.reason == "history_in_a_circle")
    }

    /// A thousand pages: from their beginning in one night, then from where that one stopped, and again once they are read.
    @Test func `B8: a history to be read from its beginning is read on until it is whole`() async throws {
        let statuses = ServerTalk.text(try Rows.statuses())
        let bare = try Rows.json(["bundleId": "com.acme.app", "environment": "Production", "signedTransactions": []])
        let page = String(ServerTalk.text(bare).dropLast())
        var cursor: String? = "r1000"
        var firsts: [String?] = []
        for _ in 1...5 {
            let due = Acme.due(cursor: cursor, historyReach: .fromBeginning, known: [Acme.known()])
            let (result, paths, store) = try await ServerTalk.ask(due) { request, _ in
                guard let path = request.path.split(separator: "?").last, path.hasPrefix("sort=") else {
                    return .init(200, statuses)
                }
                let at = Int(path.split(separator: "=r").dropFirst().first ?? "0") ?? 0
                return .init(200, page + ",\"hasMore\":\(at < 999),\"revision\":\"r\(at + 1)\"}")
            }
            let history = paths.filter { $0.contains("/history/") }
            #expect(history.count == 250)
            firsts.append(history.first?.split(separator: "=").last.map(String.init))
            cursor = try store.read(try result.get()).observations.first?.historyCursor
        }
        #expect(firsts == ["ASCENDING", "r250", "r500", "r750", "ASCENDING"])
        #expect(cursor == "more:r250")
    }

    /// What a notification reports without naming its row may be in the pages that are read already.
    @Test(arguments: [(.fromBeginning, "r250"), (.restarted, nil), (.fromCursor, "r250")] as [(HistoryReach, String?)])
    func `a refund of no row begins the history again, wherever it is being read`(reach: HistoryReach, from: String?) {
        let due = Acme.due(cursor: "more:r250", historyReach: reach, known: [Acme.known()])
        #expect(HistoryCursor.start(of: due, in: .production) == from)
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
            issuerID: "i", keyID: "k", signer: nil, rootCertificate: [])
        #expect(plain.productionURL == "https://api.storekit.apple.com")
        #expect(plain.sandboxURL == "https://api.storekit-sandbox.apple.com")
    }
}
