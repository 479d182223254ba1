// SPDX-License-Identifier: Apache-2.0

package import Model
import Synchronization

/// Keeps one credential's access token fresh for everybody who asks with it: one renewal in flight at most, however
/// many wait for it, and early enough that no request leaves with a token about to end.
///
/// A final failure (a revoked grant, a wrong key) is kept: later callers get it without another request. Any other
/// failed renewal fails only the callers who waited for it; the next caller tries again. Times are the wall clock's.
package final class AccessTokens: Sendable {
    /// A token as an issuer gave it.
    package struct Issued: Sendable {
        package let token: Secret
        /// How long it is good for, from the moment it was asked for.
        package let lifetime: Span

        package init(token: Secret, lifetime: Span) {
            self.token = token
            self.lifetime = lifetime
        }
    }

    /// Asks the issuer for a new token.
    ///
    /// A failure of the kind `credential` is final.
    package typealias Grant = @Sendable () async throws(StoreFailure) -> Issued

    private typealias Answer = Result<Secret, StoreFailure>

    private struct Current {
        let token: Secret
        let issuedAt: Instant
        let expiresAt: Instant
        var renewAt: Instant

        /// False after the clock was set back: the token's age is then unknown.
        func isFresh(at now: Instant) -> Bool { now >= issuedAt && now < renewAt }
    }

    private struct State {
        var current: Current?
        var isOver: StoreFailure?
        var isRenewing = false
        var lastTicket: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Answer, Never>] = [:]
    }

    /// How long before its end a token is renewed, as Google's own library does.
    package static let margin = Span.seconds(225)
    /// Up to so much earlier still, so that many processes do not renew at once.
    private static let jitter: Double = 30_000_000
    /// A token that is still good is used on when its renewal fails, and renewed again after this long.
    private static let pauseAfterFailure = Span.seconds(15)

    private let clock: @Sendable () -> Instant
    private let random: @Sendable () -> Double
    private let grant: Grant
    private let state = Mutex(State())

    /// A keeper that holds no token yet.
    ///
    /// - Parameters:
    ///   - clock: the wall clock.
    ///   - random: in 0..<1, for the jitter.
    ///   - grant: called by one task at a time.
    package init(
        clock: @escaping @Sendable () -> Instant = { .wallClock },
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }, grant: @escaping Grant
    ) {
        self.clock = clock
        self.random = random
        self.grant = grant
    }

    /// A token that is good for some minutes yet.
    ///
    /// Cancelling the task ends its own wait only: a renewal under way goes on for the others.
    ///
    /// - Throws: the renewal's failure, or that the run was interrupted.
    package func token() async throws(StoreFailure) -> Secret {
        let now = clock()
        let (answer, ticket) = state.withLock { state in
            state.lastTicket += 1
            return (Self.answer(state, now), state.lastTicket)
        }
        if let answer { return try answer.get() }
        let waited = await withTaskCancellationHandler {
            await withCheckedContinuation { join($0, ticket: ticket) }
        } onCancel: {
            withdraw(ticket)
        }
        return try waited.get()
    }

    /// The store did not accept this token: the next one who asks gets another.
    ///
    /// A token that was renewed meanwhile stays.
    package func refused(_ token: Secret) {
        state.withLock { state in
            if state.current?.token == token { state.current = nil }
        }
    }

    private static func answer(_ state: State, _ now: Instant) -> Answer? {
        if let failure = state.isOver { return .failure(failure) }
        guard let current = state.current, current.isFresh(at: now) else { return nil }
        return .success(current.token)
    }
}

extension AccessTokens {
    /// Waits for the renewal under way, or begins one.
    ///
    /// A cancellation that came before this point found no waiter to withdraw: `Task.isCancelled` shows it here.
    private func join(_ waiter: CheckedContinuation<Answer, Never>, ticket: UInt64) {
        let now = clock()
        let (answer, begins) = state.withLock { state -> (Answer?, Bool) in
            if Task.isCancelled { return (.failure(.interrupted), false) }
            if let answer = Self.answer(state, now) { return (answer, false) }
            state.waiters[ticket] = waiter
            defer { state.isRenewing = true }
            return (nil, !state.isRenewing)
        }
        if let answer { waiter.resume(returning: answer) }
        // No child of the waiter's task, so that its cancellation is not the renewal's, and no part of its inquiry: a renewal
        // that waited for leave to ask would wait for those who wait for it.
        if begins { Task.detached { await self.renew() } }
    }

    private func withdraw(_ ticket: UInt64) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: ticket) }
        waiter?.resume(returning: .failure(.interrupted))
    }

    private func renew() async {
        let askedAt = clock()
        let result: Result<Issued, StoreFailure>
        do throws(StoreFailure) {
            result = .success(try await grant())
        } catch {
            result = .failure(error)
        }
        let now = clock()
        let (answer, waiters) = state.withLock { state in
            defer {
                state.isRenewing = false
                state.waiters = [:]
            }
            return (settle(result, askedAt: askedAt, now: now, in: &state), state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: answer) }
    }

    private func settle(
        _ result: Result<Issued, StoreFailure>, askedAt: Instant, now: Instant, in state: inout State
    ) -> Answer {
        switch result {
        case .success(let issued):
            state.current = current(issued, askedAt: askedAt)
            return .success(issued.token)
        case .failure(let failure) where failure.kind == .credential:
            state.isOver = failure
            return .failure(failure)
        case .failure(let failure):
            guard let current = state.current, now >= current.issuedAt, now < current.expiresAt else {
                return .failure(failure)
            }
            state.current?.renewAt = min(now + Self.pauseAfterFailure, current.expiresAt)
            return .success(current.token)
        }
    }

    /// A token that lives shorter than the margin would never be fresh: it is used for half its life.
    private func current(_ issued: Issued, askedAt: Instant) -> Current {
        let early = Self.margin.micros + Int64(random() * Self.jitter)
        let expiresAt = askedAt + issued.lifetime
        return Current(
            token: issued.token, issuedAt: askedAt, expiresAt: expiresAt,
            renewAt: expiresAt - Span(micros: min(early, issued.lifetime.micros / 2)))
    }
}
