// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdHTTP2
import HummingbirdTLS
import Logging

/// What a simulated store is made of.
package struct SimulatorConfiguration: Sendable {
    package typealias App = SimulatedApp

    package var seed: UInt64
    package var customersPerApp: Int
    package var apps: [SimulatedApp]
    /// The store's clock at the start; the first night is a day later.
    package var startClock: Int64
    /// Keys, certificates and address are written there.
    package var directory: String
    package var port = 0
    package var quota = Quotas.Limit.published
    /// The `http:` of the configuration it writes: 2 or 1.1.
    package var http = "2"
    /// The `requests_per_second` of the configuration it writes.
    package var requestsPerSecond = 40

    package init(
        seed: UInt64, customersPerApp: Int, apps: [SimulatedApp], startClock: Int64, directory: String
    ) {
        self.seed = seed
        self.customersPerApp = customersPerApp
        self.apps = apps
        self.startClock = startClock
        self.directory = directory
    }
}

/// The simulated stores, serving on loopback over TLS, HTTP/2 and HTTP/1.1, until stopped.
package final class SimulatedStores: Sendable {
    package let port: Int
    package let faults: Faults
    package let quotas: Quotas
    let configuration: SimulatorConfiguration
    let front: StoreFront
    private let serving: Task<Void, any Error>

    private init(
        port: Int, configuration: SimulatorConfiguration, desk: Desk, serving: Task<Void, any Error>
    ) {
        self.port = port
        self.configuration = configuration
        self.front = desk.front
        self.faults = desk.faults
        self.quotas = desk.quotas
        self.serving = serving
    }

    /// Makes keys and customers and begins to serve. Throws `SimulatorError` when `openssl` or the port fails.
    package static func start(_ configuration: SimulatorConfiguration) async throws -> SimulatedStores {
        let keys = try StoreKeys(in: configuration.directory, apps: configuration.apps)
        let firstNight = configuration.startClock + CivilTime.day
        let customers = Population.lives(
            seed: configuration.seed, customersPerApp: configuration.customersPerApp, apps: configuration.apps,
            span: Population.Span(firstNight: firstNight, horizon: firstNight + 75 * CivilTime.day))
        let desk = Desk(
            front: StoreFront(
                keys: keys, apps: configuration.apps, customers: customers, clock: configuration.startClock),
            judge: TokenJudge(apps: configuration.apps, keys: keys.apps), quotas: Quotas(configuration.quota),
            faults: Faults())
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        let application = try application(desk, configuration) { announce.yield($0) }
        let serving = Task {
            defer { announce.finish() }
            try await application.run()
        }
        guard let port = await ports.first(where: { _ in true }) else {
            try await serving.value
            throw SimulatorError("the simulated store did not start")
        }
        return SimulatedStores(port: port, configuration: configuration, desk: desk, serving: serving)
    }

    package var baseURL: String { "https://127.0.0.1:\(port)" }
    package var books: Books { front.books }
    package func setClock(_ now: Int64) { front.setClock(now) }

    /// First purchases and repurchases after `since`, up to `until`: what the app's backend hands in.
    package func registrations(since: Int64, until: Int64) -> [Registration] {
        front.registrations(since: since, until: until)
    }

    /// Serves a recorded answer byte for byte for that receipt, in that environment.
    package func record(receipt: String, answer: [UInt8], in environment: StoreEnvironment) {
        front.record(receipt: receipt, answer: answer, in: environment)
    }

    /// Serves until it is stopped or fails.
    package func serve() async throws { try await serving.value }

    /// Stops serving. It does not wait for connections to close: a client that was killed never says goodbye.
    package func stop() { serving.cancel() }

    private struct ClockCommand: Decodable {
        let micros: Int64
    }

    /// For whoever drives the store from another process; loopback only, like all it serves.
    private static func addControls(
        to router: Router<BasicRequestContext>, _ desk: Desk, _ configuration: SimulatorConfiguration
    ) {
        router.post("sim/clock") { request, _ in
            let body = try await request.body.collect(upTo: 1 << 10)
            desk.front.setClock(try JSONDecoder().decode(ClockCommand.self, from: Data(Array(buffer: body))).micros)
            return HTTPResponse.Status.noContent
        }
        router.get("sim/registrations") { request, _ in
            let query = request.uri.queryParameters
            guard let since = query["since"].flatMap({ Int64($0) }), let until = query["until"].flatMap({ Int64($0) })
            else { throw HTTPError(.badRequest) }
            return try jsonLines(desk.front.registrations(since: since, until: until))
        }
    }

    private static func application(
        _ desk: Desk, _ configuration: SimulatorConfiguration, _ announce: @escaping @Sendable (Int) -> Void
    ) throws -> some ApplicationProtocol {
        let router = Router()
        let handle: @Sendable (Request, BasicRequestContext) async throws -> Response = { request, _ in
            let body = try await request.body.collect(upTo: 8 << 20)
            let query = request.uri.queryParameters.reduce(into: [String: String]()) {
                $0[String($1.key)] = String($1.value).removingPercentEncoding
            }
            let answer = desk.answer(
                Desk.Request(
                    path: request.uri.path, query: query, authorization: request.headers[.authorization],
                    body: Array(buffer: body)))
            return answer.response
        }
        addControls(to: router, desk, configuration)
        router.get("**", use: handle)
        router.post("**", use: handle)
        let chain = try NIOSSLCertificate.fromPEMFile(configuration.directory + "/server.pem")
        let key = try NIOSSLPrivateKey(file: configuration.directory + "/server.key", format: .pem)
        let tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        var logger = Logger(label: "storesim")
        logger.logLevel = .critical
        return Application(
            router: router, server: try .http2Upgrade(tlsConfiguration: tls),
            configuration: .init(address: .hostname("127.0.0.1", port: configuration.port)),
            onServerRunning: { announce($0.localAddress?.port ?? 0) }, logger: logger)
    }
}

extension DeskAnswer {
    fileprivate var response: Response {
        var fields = HTTPFields()
        fields[.contentType] = type
        for (name, value) in headers { if let name = HTTPField.Name(name) { fields[name] = value } }
        return Response(
            status: HTTPResponse.Status(code: status), headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: body))
        )
    }
}
