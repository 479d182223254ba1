// SPDX-License-Identifier: Apache-2.0

import Model
import TestSupport
import Testing

@testable import Stores

/// Eight answers are long at once, each from its fifth request on.
@Suite(.hangLimit) struct LongAnswersTests {
    private static func shares(_ count: Int, of all: LongAnswers, requests: Int) async throws -> [LongAnswers.Share] {
        let shares = (0..<count).map { _ in all.share() }
        for share in shares { for _ in 0..<requests { try await share.claim() } }
        return shares
    }

    @Test func `short answers need no permission, even where none may become long`() async throws {
        let all = LongAnswers()
        all.close()
        _ = try await Self.shares(100, of: all, requests: 4)
    }

    @Test func `the ninth that becomes long waits until another one is released`() async throws {
        let all = LongAnswers()
        // Six requests each: one that is long already asks on.
        let long = try await Self.shares(8, of: all, requests: 6)
        let ninth = try await Self.shares(1, of: all, requests: 4)[0]
        let waiting = Task { try await ninth.claim() }
        while all.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
        long[3].release()
        try await waiting.value
        // What is released is released once.
        long[3].release()
        let tenth = try await Self.shares(1, of: all, requests: 4)[0]
        let next = Task { try await tenth.claim() }
        while all.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
        long[0].release()
        try await next.value
    }

    @Test func `those that wait are given up where there is no room left, and those that are long ask on`() async throws
    {
        let all = LongAnswers()
        let long = try await Self.shares(8, of: all, requests: 5)
        let others = try await Self.shares(3, of: all, requests: 4)
        let waiting = others.map { share in Task { try await share.claim() } }
        while all.waiting < 3 { try await Task.sleep(for: .milliseconds(1)) }
        all.close()
        try await long[0].claim()
        long[0].release()
        for task in waiting {
            let failure = await #expect(throws: StoreFailure.self) { try await task.value }
            #expect(failure?.cause == .noRoom)
            #expect(failure?.stopsApp == false)
        }
    }

    @Test func `an interruption ends the waiting`() async throws {
        let all = LongAnswers()
        _ = try await Self.shares(8, of: all, requests: 5)
        let ninth = try await Self.shares(1, of: all, requests: 4)[0]
        let waiting = Task { try await ninth.claim() }
        while all.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
        waiting.cancel()
        let failure = await #expect(throws: StoreFailure.self) { try await waiting.value }
        #expect(failure?.kind == .cancelled)
    }

    /// Who waits for a new token may be long; the renewal must not wait for those.
    @Test func `the renewal of a token is no request of the inquiry that needs it`() async throws {
        let tokens = AccessTokens { () async throws(StoreFailure) in
            guard LongAnswers.share == nil else { throw .interrupted }
            return AccessTokens.Issued(token: Secret("t"), lifetime: .minutes(60))
        }
        let token = try await LongAnswers.$share.withValue(LongAnswers().share()) { try await tokens.token() }
        #expect(token.reveal() == "t")
    }
}
