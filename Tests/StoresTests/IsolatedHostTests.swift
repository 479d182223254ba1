// SPDX-License-Identifier: Apache-2.0

import Model
import Synchronization
import TestSupport
import Testing

@testable import Stores

/// A host whose store says nothing, beside others of its run.
@Suite(.hangLimit) struct IsolatedHostTests {
    private static let breaker = Breaker(
        threshold: 1, firstPause: .milliseconds(20), longestPause: .milliseconds(20), patience: .seconds(600),
        isolation: Isolation(settling: .zero, freshness: .seconds(600)))

    private static let completing = Endpoint(name: "histories", publishedRate: 1_000, part: .completion)

    @Test func `what waits is left to others that get on, and asked again after an answer`() async throws {
        let isCut = Mutex(true)
        let talk = try Talk(attempts: 1, breaker: Self.breaker) { _, _ in
            isCut.withLock(\.self) ? .init(503) : .init(200, "yes")
        }
        talk.client.learn(checksOfOthers: 100)
        async let asked = talk.ask()
        async let completed = talk.ask(at: Self.completing)
        try await Self.untilOutage(of: talk.client)
        talk.client.learn(checksOfOthers: 200)
        #expect(await asked.failure?.cause == .isolated)
        #expect(await completed.failure?.cause == .isolated)
        #expect(talk.log.lines.filter { $0.contains("answers other hosts and not this one") }.count == 1)
        isCut.withLock { $0 = false }
        while await talk.ask() != .success("yes") { try await Task.sleep(for: .milliseconds(1)) }
        #expect(!talk.client.isLeavingToOthers)
    }

    @Test func `what waits beside a probe is no hindrance to it`() async throws {
        let isCut = Mutex(true)
        let talk = try Talk(attempts: 1, breaker: Self.breaker) { _, _ in
            isCut.withLock(\.self) ? .init(503) : .init(200, "yes", delay: .milliseconds(100))
        }
        talk.client.learn(checksOfOthers: 100)
        async let asked = talk.ask()
        try await Self.untilOutage(of: talk.client)
        talk.client.learn(checksOfOthers: 200)
        #expect(await asked.failure?.cause == .isolated)
        isCut.withLock { $0 = false }
        while talk.client.isLeavingToOthers { try await Task.sleep(for: .milliseconds(1)) }
        async let first = talk.ask("1")
        async let second = talk.ask("2")
        #expect(await [first, second] == [.success("yes"), .success("yes")])
    }

    @Test func `where no other host gets on the store is waited for`() async throws {
        let talk = try Talk(attempts: 1, breaker: Self.breaker) { _, number in
            number < 20 ? .init(503) : .init(200, "yes")
        }
        talk.client.learn(checksOfOthers: 100)
        async let asked = talk.ask()
        try await Self.untilOutage(of: talk.client)
        talk.client.learn(checksOfOthers: 100)
        #expect(await asked == .success("yes"))
    }

    private static func untilOutage(of client: ThrottledClient) async throws {
        while client.state.withLock({ !$0.breaker.isOpen }) { try await Task.sleep(for: .milliseconds(1)) }
    }
}
