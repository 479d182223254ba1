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

    /// Another history may hold all the room: a page is read all the same, so that the run gets on.
    @Test func `where there is no room a history ends after the page it has, and says how many that makes`()
        async throws
    {
        let statuses = ServerTalk.text(try Rows.statuses())
        for (loaded, asked, soFar) in [(0, 1, 1), (7, 1, 8), (249, 1, nil)] as [(Int, Int, Int?)] {
            var due = Acme.due(cursor: "more:r1", known: [Acme.known()])
            due.partsLoaded = loaded
            let (result, paths, _) = try await ServerTalk.ask(due, into: AnswerBuffer(limit: 0)) { request, number in
                let page = try? Rows.history([], revision: "r\(number)", hasMore: true)
                return .init(200, request.path.contains("/history/") ? ServerTalk.text(page ?? []) : statuses)
            }
            #expect(paths.count { $0.contains("/history/") } == asked)
            // After 250 pages the rest is another night's.
            #expect(try result.get().partsSoFar == soFar)
        }
    }

    @Test func `a history that ends where the room does is whole`() async throws {
        let statuses = ServerTalk.text(try Rows.statuses())
        let page = ServerTalk.text(try Rows.history([], revision: "r2"))
        let due = Acme.due(cursor: "more:r1", known: [Acme.known()])
        let (result, _, _) = try await ServerTalk.ask(due, into: AnswerBuffer(limit: 0)) { request, _ in
            .init(200, request.path.contains("/history/") ? page : statuses)
        }
        #expect(try result.get().partsSoFar == nil)
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
