// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Synchronization
import TestSupport
import Testing

@testable import GooglePlay

/// A Google Play of the test's own: a token endpoint that counts, and answers as the test says.
final class PlayServer: Sendable {
    private let server: LoopbackServer
    private let issued: Counter

    final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }

        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    /// `token`: the answer to each question for a token, which is given its number from 1.
    ///
    /// `answer`: all else.
    init(
        token: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Answer = { _, number in
            .init(200, #"{"access_token":"access-canary-\#(number)","expires_in":3600,"token_type":"Bearer"}"#)
        },
        answer: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Answer
    ) throws {
        let (issued, asked) = (Counter(), Counter())
        self.issued = issued
        server = try LoopbackServer { request, _ in
            request.path == "/token" ? token(request, issued.next()) : answer(request, asked.next())
        }
    }

    var url: String { server.url }
    /// How often a token was asked for.
    var tokens: Int { issued.value }
    /// All questions but those for tokens.
    var requests: [LoopbackServer.Request] { server.requests.filter { $0.path != "/token" } }
    var tokenRequests: [LoopbackServer.Request] { server.requests.filter { $0.path == "/token" } }
    var paths: [String] {
        requests.map { $0.path.replacing("/androidpublisher/v3/applications/com.acme.app", with: "") }
    }

    /// Asks about purchases and completes the answers, as a night does.
    func ask(
        _ due: [DueSubscription], api: GooglePlayConfiguration.API = .v2, log: RecordedLog? = nil,
        readAt: Instant = Play.now
    ) async throws -> [Result<StoreAnswer, StoreFailure>] {
        let store = try #require(
            try Play.store(Play.configuration(url: url, api: api), readAt: readAt, log: log) as? any CompletingStore)
        let client = Play.client(log: log)
        var results: [Result<StoreAnswer, StoreFailure>] = []
        for inquiry in store.inquiries(for: due) {
            do throws(StoreFailure) {
                results.append(.success(try await store.ask(inquiry, through: client)))
            } catch {
                results.append(.failure(error))
            }
        }
        let answers = results.compactMap { try? $0.get() }
        var completed = try await store.complete(answers, through: client)[...]
        return results.map { $0.failure == nil ? completed.removeFirst() : $0 }
    }

    /// Answers `orders:batchGet` from these orders: one unknown id fails the whole request, as the store does.
    static func batch(_ request: LoopbackServer.Request, of orders: [String: Object]) -> LoopbackServer.Answer {
        let ids = URLComponents(string: request.path)?.queryItems?.compactMap(\.value) ?? []
        let found = ids.compactMap { orders[$0] }
        return found.count == ids.count ? .init(200, Play.json(["orders": found])) : refusal(404, "notFound")
    }

    static func refusal(
        _ status: Int, _ reason: String, domain: String = "androidpublisher", headers: [(String, String)] = []
    ) -> LoopbackServer.Answer {
        let error: Object = [
            "code": status, "message": "canary-message about token-1",
            "errors": [["domain": domain, "reason": reason, "message": "canary-message"]],
        ]
        return .init(status, Play.json(["error": error]), headers: headers)
    }
}
