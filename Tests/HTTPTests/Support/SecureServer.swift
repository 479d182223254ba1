// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import Logging
import Synchronization
import TLSServer

/// A real server with TLS on a loopback port, from another implementation of HTTP/2 than libcurl's.
struct SecureServer: Sendable {
    /// What the server has seen of its clients.
    final class Visits: Sendable {
        private let peers = Mutex<Set<String>>([])

        /// How many connections requests came over.
        var connections: Int { peers.withLock { $0.count } }

        fileprivate func record(_ peer: String) {
            peers.withLock { _ = $0.insert(peer) }
        }
    }

    /// What a route sees of its request.
    struct Context: RequestContext {
        var coreContext: CoreRequestContextStorage
        let peer: String

        init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
            peer = source.channel.remoteAddress?.description ?? "unknown"
        }
    }

    /// Notes which connection a request came over before the route runs.
    private struct Recorder: RouterMiddleware {
        let visits: Visits

        func handle(
            _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
        ) async throws -> Response {
            visits.record(context.peer)
            return try await next(request, context)
        }
    }

    let port: Int
    let visits: Visits

    /// The URL of a path on the server.
    func url(_ path: String) -> String { "https://localhost:\(port)\(path)" }

    /// Runs a server with the given routes for as long as the body runs.
    static func run<Result: Sendable>(
        _ certificates: Certificates, http2: Bool = true, routes: @Sendable (Router<Context>) -> Void,
        _ body: @Sendable @escaping (SecureServer) async throws -> Result
    ) async throws -> Result {
        let visits = Visits()
        let router = Router(context: Context.self)
        router.add(middleware: Recorder(visits: visits))
        routes(router)
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "test.server")
        logger.logLevel = .critical
        let tls = try TLSContext(
            certificateFile: certificates.certificateFile(.valid), keyFile: certificates.keyFile(.valid), http2: http2)
        let application = Application(
            router: router, server: .secure(tls),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { announce.yield($0.localAddress?.port ?? 0) }, logger: logger)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { announce.finish() }
                try await application.run()
            }
            defer { group.cancelAll() }
            guard let port = await ports.first(where: { _ in true }) else { throw NotStarted() }
            return try await body(SecureServer(port: port, visits: visits))
        }
    }

    /// The server could not be started.
    struct NotStarted: Error {}
}
