// SPDX-License-Identifier: Apache-2.0

import AppStore
import HTTP
import Model
import TestSupport
import Testing

@testable import subledger

extension AppConfiguration {
    /// An app that asks for receipts.
    static func receipts(number: Int, over version: HTTPVersion, maxInFlight: Int = 64) -> AppConfiguration {
        let id = AppID("acme-\(number)")
        return AppConfiguration(
            id: id, environment: .production, httpVersion: version, requestsPerSecond: 40, maxInFlight: maxInFlight,
            store: .appStore(
                AppStoreConfiguration(
                    appID: id, bundleID: "com.acme",
                    api: .verifyReceipt(AppStoreConfiguration.Receipts(sharedSecret: Secret("s"))))))
    }
}

/// How many clients a job has, and which apps share one.
@Suite(.hangLimit) struct ClientPlanTests {
    private static func sharers(of count: Int, over version: HTTPVersion) -> [Int] {
        let apps = (1...count).map { AppConfiguration.receipts(number: $0, over: version) }
        let plan = ClientPlan(apps)
        return Dictionary(grouping: apps, by: plan.place).values.map(\.count).sorted()
    }

    @Test func `a few apps have a client each`() {
        #expect(Self.sharers(of: 3, over: .http2) == [1, 1, 1])
        #expect(Self.sharers(of: 64, over: .http2) == Array(repeating: 1, count: 64))
    }

    @Test(arguments: [65, 128, 3_000])
    func `many share so many clients at most, evenly`(count: Int) {
        let sharers = Self.sharers(of: count, over: .http2)
        #expect(sharers.count <= 64)
        #expect(sharers.reduce(0, +) == count)
        #expect(sharers.max() == (count + 63) / 64)
    }

    /// Over HTTP/1.1 a host gives so many connections, and an app that waits for its answers has them all.
    @Test func `over the older version each app has its own`() {
        #expect(Self.sharers(of: 100, over: .http1).count == 100)
    }

    @Test func `apps that trust other authorities or ask more at once share none`() {
        var apps = (1...130).map { AppConfiguration.receipts(number: $0, over: .http2) }
        apps[0].authorityFile = "own.pem"
        apps[1].maxInFlight = 4
        let plan = ClientPlan(apps)
        #expect(plan.place(of: apps[0]).sharers == 1)
        #expect(plan.place(of: apps[1]).sharers == 1)
        #expect(plan.place(of: apps[0]).configuration.certificateAuthorityFile == "own.pem")
    }

    /// Two apps that wait for all their answers leave a third its room.
    @Test func `a client has room for all its apps' requests`() {
        let apps = (1...192).map { AppConfiguration.receipts(number: $0, over: .http2) }
        #expect(ClientPlan(apps).place(of: apps[0]).configuration.maximumConcurrentStreams == 3 * 64)
    }
}
