// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One request on its way through the client, and the place its outcome goes to.
///
/// The loop resumes it exactly once: every way out of the loop takes the exchange out of the collection that held it.
final class Exchange: Sendable {
    typealias Outcome = Result<HTTPResponse, HTTPError>

    let request: HTTPRequest
    let origin: Origin
    let limits: HTTPLimits
    let cancellation: Cancellation
    private let continuation: CheckedContinuation<Outcome, Never>

    init(
        _ checked: CheckedRequest, limits: HTTPLimits, cancellation: Cancellation,
        continuation: CheckedContinuation<Outcome, Never>
    ) {
        request = checked.request
        origin = checked.origin
        self.limits = checked.request.limits ?? limits
        self.cancellation = cancellation
        self.continuation = continuation
    }

    func finish(_ outcome: Outcome) {
        continuation.resume(returning: outcome)
    }

    func fail(_ code: HTTPError.Code, reason: String? = nil) {
        finish(.failure(HTTPError(code, host: origin.host, route: request.route, reason: reason)))
    }
}

/// Says that a task gave its request up; its identity also finds the transfer to abort.
///
/// Set before the loop is notified, so that a cancellation which overtakes its own submission is still seen.
final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)

    var isRequested: Bool { flag.load(ordering: .acquiring) }

    func request() {
        flag.store(true, ordering: .releasing)
    }
}
