// SPDX-License-Identifier: Apache-2.0

@testable import SimulatorServer
import Testing

@testable import StoreSimulator

/// What the simulated stores have for measuring programs.
@Suite struct MeasuringTests {
    @Test func `an answer is given again until the clock moves, unless it was a refusal or a token`() {
        let cache = AnswerCache()
        var made = 0
        func ask(_ uri: String, body: [UInt8] = [], at clock: Int64, status: Int = 200) -> [UInt8] {
            cache.answer(to: .init(uri: uri, body: body), at: clock) {
                made += 1
                return StoreResponse(status: status, body: [UInt8(made)])
            }.body
        }
        #expect(ask("/a", at: 1) == [1])
        #expect(ask("/a", at: 1) == [1])
        #expect(ask("/a", body: [7], at: 1) == [2])
        #expect(ask("/b", at: 1) == [3])
        #expect(ask("/a", at: 2) == [4])
        #expect(ask("/b", at: 2, status: 429) == [5])
        #expect(ask("/b", at: 2) == [6])
        #expect(ask("/token", at: 2) == [7])
        #expect(ask("/token", at: 2) == [8])
    }

    @Test func `customers who all do the same pay month after month, the last one beyond the first night`() throws {
        let firstNight = try #require(CivilTime.instant(iso8601: "2026-01-05T02:15:00Z"))
        let lives = UniformLives.lives(of: Paper.app, customers: 60, months: 3, firstNight: firstNight)
        let subscriptions = lives.flatMap(\.subscriptions)
        #expect(lives.count == 60 && subscriptions.count == 60)
        #expect(Set(subscriptions.flatMap(\.periods).map(\.transactionID)).count == 180)
        for periods in subscriptions.map(\.periods) {
            #expect(periods.map(\.reason) == [.purchase, .renewal, .renewal])
            #expect(zip(periods, periods.dropFirst()).allSatisfy { $0.expiresAt == $1.purchasedAt })
            let last = try #require(periods.last)
            #expect(last.createdAt < firstNight && last.expiresAt > firstNight)
        }
    }

    @Test func `customers of two apps share no transaction`() throws {
        let firstNight = try #require(CivilTime.instant(iso8601: "2026-01-05T02:15:00Z"))
        let lives = [0, 10].flatMap {
            UniformLives.lives(of: Paper.app, customers: 10, after: $0, months: 3, firstNight: firstNight)
        }
        #expect(Set(lives.flatMap(\.subscriptions).flatMap(\.periods).map(\.transactionID)).count == 60)
    }

    @Test func `what passed of an endpoint is counted in the window of its limit`() {
        let quotas = Quotas(.init(requests: 3, seconds: 60))
        func ask(at second: Int64) -> Bool { quotas.refusal(of: "statuses", app: "a", at: second * 1_000) == nil }
        #expect([0, 10, 20, 30].map { ask(at: $0) } == [true, true, true, false])
        #expect([61, 62].map { ask(at: $0) } == [true, false])
        #expect(quotas.counters.most == ["statuses": 3])
        #expect(quotas.counters.refused == 2)
    }
}
