// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport

/// Both stores on a loopback port, which answer what a test says by the beginning of the path; nothing else is known.
final class StoreDesk: Sendable {
    typealias Answering = @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer

    private final class Routes: Sendable {
        let all = Mutex<[(prefix: String, answer: Answering)]>([])

        func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
            let fitting = all.withLock { $0.filter { request.path.hasPrefix($0.prefix) } }
            // The longest beginning is the most particular, and what was said last counts.
            let best = fitting.reversed().max { $0.prefix.utf8.count < $1.prefix.utf8.count }
            return best?.answer(request) ?? Self.unknown(request)
        }

        private static func unknown(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
            if request.path == "/token" {
                return .init(200, #"{"access_token":"access","expires_in":3600,"token_type":"Bearer"}"#)
            }
            if request.path.hasPrefix("/androidpublisher") {
                return .init(404, #"{"error":{"code":404,"errors":[{"reason":"notFound"}]}}"#)
            }
            return .init(404, #"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#)
        }
    }

    private let routes: Routes
    private let server: LoopbackServer

    init() throws {
        let routes = Routes()
        self.routes = routes
        server = try LoopbackServer { request, _ in routes.answer(request) }
    }

    var url: String { server.url }

    /// What came in, but for questions for access tokens.
    var requests: [LoopbackServer.Request] { server.requests.filter { $0.path != "/token" } }

    func on(_ prefix: String, _ status: Int = 200, _ body: String) {
        on(prefix) { _ in .init(status, body) }
    }

    func on(_ prefix: String, answer: @escaping Answering) {
        routes.all.withLock { $0.append((prefix, answer)) }
    }
}
