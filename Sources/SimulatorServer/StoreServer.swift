// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Logging
package import StoreSimulator
import TLSServer

/// Puts the endpoints on a port: TLS, HTTP/2 where the client speaks it, else HTTP/1.1.
struct StoreServer: Sendable {
    /// The largest body a request may have: a receipt of many years.
    private static let largestBody = 8 << 20

    let handler: StoreRequestHandler
    /// Where the server's certificate and key lie.
    let directory: String
    /// The address to listen at.
    let host: String
    /// 0 takes any free one.
    let port: Int
    /// Nil: every answer is made anew.
    let cache: AnswerCache?

    /// The server, not yet running; it announces its port once it listens.
    func application(announcing announce: @escaping @Sendable (Int) -> Void) throws -> some ApplicationProtocol {
        let router = Router()
        addControls(to: router)
        let handle: @Sendable (Request, BasicRequestContext) async throws -> Response = { request, _ in
            answer(request, body: Array(buffer: try await request.body.collect(upTo: Self.largestBody))).response
        }
        router.get("**", use: handle)
        router.post("**", use: handle)
        var logger = Logger(label: "storesim")
        logger.logLevel = .critical
        let tls = try TLSContext(
            certificateFile: directory + "/server.pem", keyFile: directory + "/server.key", http2: true)
        return Application(
            router: router, server: .secure(tls),
            configuration: .init(address: .hostname(host, port: port)),
            onServerRunning: { announce($0.localAddress?.port ?? 0) }, logger: logger)
    }

    private func answer(_ request: Request, body: [UInt8]) -> StoreResponse {
        let make = { handler.answer(StoreRequest(request, body: body)) }
        let question = AnswerCache.Question(uri: request.uri.string, body: body)
        return cache?.answer(to: question, at: handler.clock, make: make) ?? make()
    }
}

/// For whoever drives the store from another process, where it serves.
extension StoreServer {
    private struct ClockCommand: Decodable {
        let micros: Int64
    }

    func addControls(to router: Router<BasicRequestContext>) {
        router.post("sim/clock") { request, _ in
            let body = try await request.body.collect(upTo: 1 << 10)
            handler.setClock(try JSONDecoder().decode(ClockCommand.self, from: Data(Array(buffer: body))).micros)
            return HTTPResponse.Status.noContent
        }
        router.get("sim/traffic") { _, _ in
            String(decoding: try JSONEncoder().encode(handler.counters), as: UTF8.self)
        }
        router.get("sim/registrations") { request, _ in
            let query = request.uri.queryParameters
            guard let since = query["since"].flatMap({ Int64($0) }), let until = query["until"].flatMap({ Int64($0) })
            else { throw HTTPError(.badRequest) }
            return try handler.registrations(since: since, until: until)
        }
    }
}

extension SimulatedStores {
    /// Makes keys and customers and begins to serve.
    ///
    /// - Throws: `SimulatorError` when `openssl` or the port fails.
    package static func start(_ configuration: SimulatorConfiguration) async throws -> SimulatedStores {
        try await start(configuration) { handler, announce in
            let server = StoreServer(
                handler: handler, directory: configuration.directory, host: configuration.host,
                port: configuration.port,
                cache: configuration.remembersAnswers ? AnswerCache() : nil)
            try await server.application(announcing: announce).run()
        }
    }
}
