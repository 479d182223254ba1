// SPDX-License-Identifier: Apache-2.0

import Stores
import Testing

/// An outage begins at 100; what is loaded before 110 may have been answered before it, and after 20 without a word others may wait too.
@Suite struct IsolationTests {
    @Test func `an outage is this host's own while others get on`() {
        var isolation = Self.isolation(knowing: 500)
        #expect(!isolation.isOwn(since: 100, now: 111))
        isolation.learn(checksOfOthers: 600, now: 112)
        #expect(isolation.isOwn(since: 100, now: 112) && isolation.isOwn(since: 100, now: 131))
        #expect(!isolation.isOwn(since: 100, now: 132), "the others have stopped as well")
        #expect(!isolation.isOwn(since: 112, now: 113), "they got on before the next outage")
    }

    @Test func `no host is isolated while no other gets on`() {
        var isolation = Self.isolation(knowing: 500)
        isolation.learn(checksOfOthers: 500, now: 115)
        #expect(!isolation.isOwn(since: 100, now: 115))
        #expect(!Isolation().isOwn(since: 100, now: 115), "there is no other host")
    }

    @Test func `what is loaded just after the outage began was answered before it`() {
        var isolation = Self.isolation(knowing: 500)
        isolation.learn(checksOfOthers: 600, now: 109)
        #expect(!isolation.isOwn(since: 100, now: 111))
    }

    private static func isolation(knowing checks: Int) -> Isolation {
        var isolation = Isolation(settling: .nanoseconds(10), freshness: .nanoseconds(20))
        isolation.learn(checksOfOthers: checks, now: 50)
        return isolation
    }
}
