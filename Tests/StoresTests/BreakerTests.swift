// SPDX-License-Identifier: Apache-2.0

import Stores
import Testing

@Suite struct BreakerTests {
    /// Two failures begin an outage at 100; the pauses are 10, 20 and 25, and what is left of the 60 that it is waited for.
    @Test func `a run of failures pauses, longer each time, and when the time is used up the store is down`() {
        var breaker = Self.breaker()
        #expect(breaker.failed(startedAt: 90, now: 99) == .none)
        #expect(!breaker.isOpen && breaker.wait(now: 99) == 0)
        #expect(breaker.failed(startedAt: 90, now: 100) == .pause(until: 110))
        #expect(breaker.isOpen && breaker.wait(now: 104) == 6)
        // What had left before the pause says nothing new.
        #expect(breaker.failed(startedAt: 90, now: 105) == .none)
        for (probed, until) in [(112, 132), (133, 158)] as [(UInt64, UInt64)] {
            #expect(breaker.wait(now: probed) == 0)
            #expect(breaker.start(now: probed) == true)
            #expect(breaker.failed(startedAt: probed, now: probed) == .pause(until: until))
        }
        #expect(breaker.failed(startedAt: 158, now: 158) == .pause(until: 160))
        #expect(breaker.failed(startedAt: 160, now: 161) == .down)
        #expect(breaker.isDown && !breaker.isPatient)
    }

    /// Of the 60 another process has waited 45, and 5 of its own are over.
    @Test func `what another process of the run has waited is waited`() {
        var breaker = Self.breaker()
        breaker.learn(waited: 45, now: 100)
        _ = breaker.open(now: 100)
        #expect(breaker.waited(now: 105) == 50)
        #expect(breaker.succeeded(now: 105) == 5)
        #expect(breaker.waited(now: 300) == 50 && breaker.isPatient)
        #expect(breaker.open(now: 300) == .pause(until: 310))
        #expect(breaker.failed(startedAt: 310, now: 310) == .down)
    }

    @Test func `one request at a time probes; an answer ends the outage`() {
        var breaker = Self.breaker()
        _ = breaker.open(now: 100)
        #expect(breaker.start(now: 109) == nil, "it is paused until 110")
        #expect(breaker.start(now: 111) == true)
        #expect(breaker.wait(now: 111) > 0, "a probe is under way")
        #expect(breaker.start(now: 111) == nil, "of two that come at once one probes")
        breaker.endProbe()
        #expect(breaker.wait(now: 111) == 0, "it ended without a word")
        #expect(breaker.start(now: 111) == true)
        #expect(breaker.succeeded(now: 125) == 25)
        #expect(!breaker.isOpen && breaker.wait(now: 125) == 0)
        #expect(breaker.start(now: 126) == false, "nothing is a probe where nothing is paused")
        #expect(breaker.succeeded(now: 126) == nil)
    }

    /// 25 of the 60 were used by the first outage.
    @Test func `the time is one for all outages of a run`() {
        var breaker = Self.breaker()
        _ = breaker.open(now: 100)
        _ = breaker.succeeded(now: 125)
        #expect(breaker.open(now: 200) == .pause(until: 210))
        #expect(breaker.failed(startedAt: 210, now: 220) == .pause(until: 235))
        #expect(breaker.failed(startedAt: 235, now: 235) == .down)
    }

    /// Others get on from 120 on: what went by until then is not counted, and what goes by counts again when they have stopped for 20.
    @Test func `of an outage of this host alone nothing is used up while others get on`() throws {
        var breaker = Breaker(
            threshold: 1, firstPause: .nanoseconds(10), longestPause: .nanoseconds(10), patience: .nanoseconds(60),
            isolation: Isolation(settling: .nanoseconds(10), freshness: .nanoseconds(20)))
        #expect(breaker.learn(checksOfOthers: 100, now: 90) == nil)
        #expect(breaker.open(now: 100) == .pause(until: 110))
        #expect(breaker.waited(now: 115) == 15 && !breaker.isIsolated(now: 115))
        #expect(breaker.learn(checksOfOthers: 200, now: 120) == 20)
        #expect(breaker.isIsolated(now: 139) && breaker.waited(now: 139) == 0)
        #expect(breaker.learn(checksOfOthers: 300, now: 139) == nil, "it is known")
        #expect(breaker.failed(startedAt: 158, now: 158) == .pause(until: 168), "none is counted")
        #expect(!breaker.isIsolated(now: 159) && breaker.waited(now: 159) == 20)
        #expect(breaker.failed(startedAt: 168, now: 190) == .pause(until: 199), "51 of 60")
        #expect(breaker.failed(startedAt: 199, now: 199) == .down)
    }

    @Test func `one answer in between restarts the count`() {
        var breaker = Breaker(threshold: 2, patience: .zero)
        #expect(breaker.failed(startedAt: 1, now: 1) == .none)
        _ = breaker.succeeded(now: 2)
        #expect(breaker.failed(startedAt: 2, now: 2) == .none)
        #expect(breaker.failed(startedAt: 3, now: 3) == .down)
    }

    private static func breaker() -> Breaker {
        Breaker(
            threshold: 2, firstPause: .nanoseconds(10), longestPause: .nanoseconds(25), patience: .nanoseconds(60))
    }
}
