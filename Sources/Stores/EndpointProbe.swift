// SPDX-License-Identifier: Apache-2.0

package import HTTP
package import Model
import Synchronization

/// What one endpoint of an app's store answered to a question that changes nothing and is about no purchase.
package struct EndpointProbe: Hashable, Sendable {
    package enum Answer: Hashable, Sendable {
        /// It refuses neither the app nor its credentials.
        ///
        /// `remark`: what that proves, and what it cannot.
        case accepted(remark: String)
        case refused(StoreFailure)
    }

    /// As summaries name it, such as `statuses`.
    package let endpoint: String
    package let answer: Answer
    /// The store's clock as it answered; nil where it did not, or said no date.
    package let storeClock: Instant?

    package init(endpoint: String, answer: Answer, storeClock: Instant? = nil) {
        (self.endpoint, self.answer, self.storeClock) = (endpoint, answer, storeClock)
    }

    /// Asks once.
    ///
    /// `remark`: what its good answer proves.
    /// `isAnswer`: the store has looked at the credentials before it failed so.
    /// `question`: sends the request, and notes every response.
    package static func of(
        _ endpoint: Endpoint, remark: String, accepting isAnswer: (StoreFailure) -> Bool = { _ in false },
        _ question: (_ noting: @escaping @Sendable (HTTPResponse) -> Void) async throws(StoreFailure) -> Void
    ) async -> EndpointProbe {
        let clock = NotedClock()
        var answer = Answer.accepted(remark: remark)
        do throws(StoreFailure) {
            try await question(clock.note)
        } catch {
            if !isAnswer(error) { answer = .refused(error) }
        }
        return EndpointProbe(endpoint: endpoint.name, answer: answer, storeClock: clock.latest)
    }
}

/// A store that can be asked whether it would answer.
package protocol Probing: Sendable {
    /// Asks each endpoint that a night begins with one question that changes nothing: never for a notification, which the store
    /// would send, nor for a pull, which would take what it gives.
    func probe(through client: ThrottledClient) async -> [EndpointProbe]
}

extension Probing {
    /// Nothing can be asked without a purchase.
    package func probe(through client: ThrottledClient) async -> [EndpointProbe] { [] }
}

/// The date of the last response.
private final class NotedClock: Sendable {
    private let noted = Mutex<Instant?>(nil)

    var latest: Instant? { noted.withLock(\.self) }

    @Sendable func note(_ response: HTTPResponse) {
        guard let date = response.date else { return }
        noted.withLock { $0 = Instant(milliseconds: date * 1_000) }
    }
}
