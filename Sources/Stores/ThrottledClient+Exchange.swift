// SPDX-License-Identifier: Apache-2.0

import Foundations
import HTTP
import Model
import Synchronization

/// A try that came to nothing but may be made again.
struct RetryableFailure: Error {
    /// The shortest wait, where the store named one.
    let after: Duration?
    /// What it is when it never succeeds.
    let failure: StoreFailure
    /// The store is over its quota and named the time: the whole endpoint waits for it.
    var isQuotaWait = false
    /// The store said nothing of its own: it may be down.
    var isSilence = false
}

extension ThrottledClient {
    /// One try: waits its turn, sends, and has the answer classified.
    func exchange(
        at endpoint: Endpoint, classify: @Sendable (HTTPResponse) -> ResponseDisposition,
        making: @Sendable () async throws(StoreFailure) -> HTTPRequest
    ) async throws(StoreFailure) -> Result<HTTPResponse, RetryableFailure> {
        let isProbe = try await takeTurn(at: endpoint)
        defer {
            if isProbe { state.withLock { $0.breaker.endProbe() } }
            permits.release()
        }
        let startedAt = now
        let request: HTTPRequest
        switch try await made(making, for: endpoint, startedAt: startedAt) {
        case .success(let made): request = made
        case .failure(let retryable): return .failure(retryable)
        }
        budget.countCall()
        state.withLock { state in
            state.counts.calls += 1
            state.counts.callsByEndpoint[endpoint.name, default: 0] += 1
        }
        switch await answer(to: request) {
        case .success(let response):
            state.withLock { $0.counts.bytes += response.body.count }
            return try settle(classify(response), of: response, at: endpoint, startedAt: startedAt)
        case .failure(let error):
            return .failure(try retryable(from: error, at: endpoint, startedAt: startedAt))
        }
    }

    /// What it carries may be missing because its own server is down, which is waited for like the store.
    private func made(
        _ making: @Sendable () async throws(StoreFailure) -> HTTPRequest, for endpoint: Endpoint, startedAt: UInt64
    ) async throws(StoreFailure) -> Result<HTTPRequest, RetryableFailure> {
        do throws(StoreFailure) {
            return .success(try await making())
        } catch {
            let mayPass = [.transient, .refusedForNow].contains(error.kind)
            guard mayPass, state.withLock({ $0.breaker.isPatient }) else { throw error }
            try noteFailure(at: endpoint, startedAt: startedAt, reason: error.reason)
            let failure = StoreFailure(.transient, reason: error.reason, message: error.message)
            return .failure(RetryableFailure(after: nil, failure: failure, isSilence: true))
        }
    }

    private func answer(to request: HTTPRequest) async -> Result<HTTPResponse, HTTPError> {
        do throws(HTTPError) {
            return .success(try await client.send(request))
        } catch {
            return .failure(error)
        }
    }

    private func settle(
        _ disposition: ResponseDisposition, of response: HTTPResponse, at endpoint: Endpoint, startedAt: UInt64
    ) throws(StoreFailure) -> Result<HTTPResponse, RetryableFailure> {
        switch disposition {
        case .accept:
            noteSuccess(at: endpoint)
            if endpoint.part != .hint { state.withLock { $0.hasAnsweredWell = true } }
            return .success(response)
        case .fail(let failure):
            noteSuccess(at: endpoint)
            throw failure
        case .retry(let after, _, .some(let final)):
            pause(endpoint, for: after)
            // An answer, even an unusable one, shows that the store is up.
            noteSuccess(at: endpoint)
            return .failure(RetryableFailure(after: after, failure: final))
        case .retry(let after, let reason, nil):
            pause(endpoint, for: after)
            try noteFailure(at: endpoint, startedAt: startedAt, reason: reason)
            return .failure(
                RetryableFailure(
                    after: after, failure: unanswered(endpoint, reason, isOwnWord: false), isSilence: true))
        case .refuseForNow(let after, let reason):
            pause(endpoint, for: after)
            try noteFailure(at: endpoint, startedAt: startedAt, reason: reason)
            return .failure(RetryableFailure(after: after, failure: unanswered(endpoint, reason, isOwnWord: true)))
        case .tooMany(let after):
            return .failure(try throttled(endpoint, retryAfter: after))
        }
    }

    private func retryable(
        from error: HTTPError, at endpoint: Endpoint, startedAt: UInt64
    ) throws(StoreFailure) -> RetryableFailure {
        let reason = error.code.rawValue.snakeCased
        switch error.disposition {
        case .retry:
            try noteFailure(at: endpoint, startedAt: startedAt, reason: reason)
            return RetryableFailure(
                after: nil, failure: StoreFailure(.transient, reason: reason, message: error.description),
                isSilence: true)
        case .setAside:
            throw StoreFailure(.unreadable, reason: reason, message: error.description)
        case .stop where error.code == .tlsVerificationFailed:
            throw StoreFailure(.credential, reason: reason, message: "App \(appID) stops. \(error.description)")
        case .stop:
            throw .interrupted
        }
    }

    /// A server that fails without a word is down, unless it answers for others of the app: then it fails on this id.
    private func unanswered(_ endpoint: Endpoint, _ reason: String, isOwnWord: Bool) -> StoreFailure {
        let answersOthers = FailedCheck.isServerError(reason) && state.withLock(\.hasAnsweredWell)
        let isAboutThisID = !endpoint.isBatch && (isOwnWord || answersOthers)
        return StoreFailure(
            isAboutThisID ? .refusedForNow : .transient, reason: reason,
            message: "Asking the store for \(endpoint.name) failed (\(reason)); the next run asks again.")
    }
}

extension StoreFailure {
    /// The task was cancelled, or the client shut down.
    static let interrupted = StoreFailure(
        .cancelled, reason: "interrupted", message: "The run was interrupted before the store had answered.")
}

extension String {
    /// `connectTimedOut` as `connect_timed_out`.
    fileprivate var snakeCased: String {
        reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
}
