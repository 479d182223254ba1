// SPDX-License-Identifier: Apache-2.0

/// The simulated stores, serving over TLS, HTTP/2 and HTTP/1.1, on loopback unless said otherwise, until stopped.
package struct SimulatedStores: Sendable {
    package let port: Int
    let configuration: SimulatorConfiguration
    private let handler: StoreRequestHandler
    private let serving: Task<Void, any Error>

    package var faults: Faults { handler.traffic.faults }
    package var quotas: Quotas { handler.traffic.quotas }
    /// Google Play's endpoints: their access tokens, and how they refuse what is over the quota.
    package var play: PlayRequestHandler { handler.play }
    /// Where Google Play's notifications are fetched from.
    package var pubSub: PubSubRequestHandler { handler.pubSub }
    var backend: AppStoreBackend { handler.backend }

    /// Serves the endpoints until it is cancelled, and tells its port once it listens.
    package typealias Server =
        @Sendable (
            _ handler: StoreRequestHandler, _ announce: @escaping @Sendable (_ port: Int) -> Void
        ) async throws -> Void

    /// Makes keys and customers and begins to serve.
    ///
    /// Throws `SimulatorError` when `openssl` or the port fails.
    package static func start(
        _ configuration: SimulatorConfiguration, on server: @escaping Server
    ) async throws -> SimulatedStores {
        let keys = try StoreKeys(
            in: configuration.directory, at: configuration.host, apps: configuration.apps, from: configuration.keyStock)
        let backend = AppStoreBackend(
            keys: keys, apps: configuration.apps, customers: configuration.lives, play: configuration.playLives,
            clock: configuration.startClock)
        let handler = StoreRequestHandler(
            backend: backend, traffic: Traffic(quotas: Quotas(configuration.quota), faults: Faults()))
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        let serving = Task {
            defer { announce.finish() }
            try await server(handler) { announce.yield($0) }
        }
        guard let port = await ports.first(where: { _ in true }) else {
            try await serving.value
            throw SimulatorError("the simulated store did not start")
        }
        try handler.play.tokens.opened(at: "https://\(configuration.host):\(port)/token")
        return Self(port: port, configuration: configuration, handler: handler, serving: serving)
    }

    package var baseURL: String { "https://\(configuration.host):\(port)" }
    package var books: Books { backend.books }
    package func setClock(_ now: Int64) { backend.setClock(now) }

    /// First purchases and repurchases after `since`, up to `until`: what the app's backend hands in.
    package func registrations(since: Int64, until: Int64) -> [Registration] {
        backend.registrations(since: since, until: until)
    }

    /// The version 1 notifications that reached the owners' servers after `since`, up to `until`.
    package func posts(since: Int64, until: Int64) throws -> [PostedNotification] {
        try backend.posts(since: since, until: until)
    }

    /// Serves a recorded answer byte for byte for that receipt, in that environment.
    package func record(receipt: String, answer: [UInt8], in environment: StoreEnvironment) {
        backend.record(receipt: receipt, answer: answer, in: environment)
    }

    /// What the App Store gets wrong about single ids from now on.
    package func change(_ mistakes: (inout AppStoreMistakes) -> Void) { backend.change(mistakes) }

    /// Serves until it is stopped or fails.
    package func serve() async throws { try await serving.value }

    /// Stops serving.
    ///
    /// It does not wait for connections to close: a client that was killed never says goodbye.
    package func stop() { serving.cancel() }
}
