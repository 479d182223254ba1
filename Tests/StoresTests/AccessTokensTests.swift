// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Synchronization
import TestSupport
import Testing

@Suite(.hangLimit) struct AccessTokensTests {
    /// An issuer under the test's control, with a clock to go with it.
    private final class Issuer: Sendable {
        private struct State {
            var now = Instant(micros: 0)
            var asked = 0
            var failures: [StoreFailure] = []
            var isBlocked = false
        }

        private let lifetime: Span
        private let state = Mutex(State())

        init(lifetime: Span = .minutes(60)) { self.lifetime = lifetime }

        var asked: Int { state.withLock { $0.asked } }

        func advance(_ span: Span) { state.withLock { $0.now = $0.now + span } }

        /// The next renewals fail with these.
        func fail(_ failures: [StoreFailure]) { state.withLock { $0.failures = failures } }

        /// Renewals wait until they are let go.
        func block(_ isBlocked: Bool) { state.withLock { $0.isBlocked = isBlocked } }

        func manager(random: Double = 0) -> AccessTokens {
            AccessTokens(clock: { self.state.withLock { $0.now } }, random: { random }) {
                () async throws(StoreFailure) in try await self.issue()
            }
        }

        private func issue() async throws(StoreFailure) -> AccessTokens.Issued {
            let number = state.withLock { state in
                state.asked += 1
                return state.asked
            }
            do {
                try await waitUntil { !self.state.withLock { $0.isBlocked } }
            } catch {
                throw Self.cut
            }
            if let failure = state.withLock({ $0.failures.isEmpty ? nil : $0.failures.removeFirst() }) { throw failure }
            return AccessTokens.Issued(token: Secret("t\(number)"), lifetime: lifetime)
        }

        private static let cut = StoreFailure(.transient, reason: "cut", message: "The renewal was cancelled.")
    }

    private static let down = StoreFailure(.transient, reason: "http_503", message: "Down.")
    private static let over = StoreFailure(.credential, reason: "invalid_grant", message: "Over.")

    private static func failure(_ manager: AccessTokens) async -> StoreFailure? {
        do throws(StoreFailure) {
            _ = try await manager.token()
            return nil
        } catch {
            return error
        }
    }

    @Test func `B9: a token is used until three minutes and three quarters before its end`() async throws {
        let issuer = Issuer()
        let manager = issuer.manager()
        #expect(try await manager.token() == Secret("t1"))
        issuer.advance(.seconds(3_600 - 226))
        #expect(try await manager.token() == Secret("t1"))
        issuer.advance(.seconds(1))
        #expect(try await manager.token() == Secret("t2"))
        #expect(issuer.asked == 2)
    }

    @Test func `chance renews up to half a minute earlier`() async throws {
        let issuer = Issuer()
        let manager = issuer.manager(random: 0.5)
        _ = try await manager.token()
        issuer.advance(.seconds(3_600 - 225 - 15))
        #expect(try await manager.token() == Secret("t2"))
    }

    @Test func `a token that lives shorter than the margin is used for half its life`() async throws {
        let issuer = Issuer(lifetime: .seconds(60))
        let manager = issuer.manager(random: 0.9)
        _ = try await manager.token()
        issuer.advance(.seconds(29))
        #expect(try await manager.token() == Secret("t1"))
        issuer.advance(.seconds(1))
        #expect(try await manager.token() == Secret("t2"))
    }

    @Test func `a clock that was set back renews`() async throws {
        let issuer = Issuer()
        let manager = issuer.manager()
        _ = try await manager.token()
        issuer.advance(.seconds(-1))
        #expect(try await manager.token() == Secret("t2"))
    }

    @Test func `however many wait, one renewal is under way, and all get what it brings`() async throws {
        let issuer = Issuer()
        let manager = issuer.manager()
        issuer.block(true)
        let tokens = try await withThrowingTaskGroup(of: Secret.self) { group in
            for _ in 0..<1_000 { group.addTask { try await manager.token() } }
            try await waitUntil { issuer.asked == 1 }
            issuer.block(false)
            return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
        }
        #expect(tokens == [Secret("t1")])
        #expect(issuer.asked == 1)
    }

    @Test func `a failed renewal fails those who waited and is not cached`() async throws {
        let issuer = Issuer()
        let manager = issuer.manager()
        issuer.block(true)
        issuer.fail([Self.down])
        async let first = Self.failure(manager)
        try await waitUntil { issuer.asked == 1 }
        async let second = Self.failure(manager)
        // Both wait for the same renewal, whether the second one has joined it yet or comes right after it.
        issuer.block(false)
        #expect(await first == Self.down)
        _ = await second
        #expect(try await manager.token().reveal().hasPrefix("t"))
        #expect(issuer.asked == 2)
    }

    @Test func `a final failure stays, without asking again`() async throws {
        let issuer = Issuer()
        let manager = issuer.manager()
        issuer.fail([Self.over])
        #expect(await Self.failure(manager) == Self.over)
        #expect(await Self.failure(manager) == Self.over)
        #expect(issuer.asked == 1)
    }

    @Test func `a refused token is renewed, and one that was renewed meanwhile stays`() async throws {
        let issuer = Issuer()
        let manager = issuer.manager()
        let first = try await manager.token()
        manager.refused(first)
        let second = try await manager.token()
        #expect(second == Secret("t2"))
        manager.refused(first)
        #expect(try await manager.token() == second)
    }

    @Test func `a token that is still good outlives a failed early renewal, its end does not`() async throws {
        let issuer = Issuer()
        let manager = issuer.manager()
        _ = try await manager.token()
        issuer.advance(.seconds(3_600 - 200))
        issuer.fail([Self.down, Self.down])
        #expect(try await manager.token() == Secret("t1"))
        // For a quarter of a minute no caller tries again.
        issuer.advance(.seconds(14))
        #expect(try await manager.token() == Secret("t1"))
        #expect(issuer.asked == 2)
        issuer.advance(.seconds(186))
        #expect(await Self.failure(manager) == Self.down)
        #expect(try await manager.token() == Secret("t4"))
    }

    @Test func `B9: one who gives up waiting leaves the renewal to the others`() async throws {
        let issuer = Issuer()
        let manager = issuer.manager()
        issuer.block(true)
        let first = Task { await Self.failure(manager) }
        try await waitUntil { issuer.asked == 1 }
        let second = Task { await Self.failure(manager) }
        first.cancel()
        #expect(await first.value?.kind == .cancelled)
        issuer.block(false)
        #expect(await second.value == nil)
        #expect(issuer.asked == 1)
        // Who was cancelled before asking waits for nothing.
        manager.refused(try await manager.token())
        let late = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await Self.failure(manager)
        }
        #expect(await late.value?.kind == .cancelled)
        #expect(issuer.asked == 1)
    }
}
