// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// The simulated stores, serving on loopback over TLS, HTTP/2 and HTTP/1.1, until stopped.
package final class SimulatedStores: Sendable {
    package let port: Int
    package let faults: Faults
    package let quotas: Quotas
    let configuration: SimulatorConfiguration
    /// Google Play's counter: its access tokens, and how it refuses what is over the quota.
    package let play: PlayDesk
    /// Where Google Play's notifications are fetched from.
    package let pubSub: PubSubDesk
    let front: StoreFront
    private let serving: Task<Void, any Error>

    private init(
        port: Int, configuration: SimulatorConfiguration, desk: Desk, serving: Task<Void, any Error>
    ) {
        self.port = port
        self.configuration = configuration
        self.front = desk.front
        self.play = desk.play
        self.pubSub = desk.pubSub
        self.faults = desk.faults
        self.quotas = desk.quotas
        self.serving = serving
    }

    /// Makes keys and customers and begins to serve. Throws `SimulatorError` when `openssl` or the port fails.
    package static func start(_ configuration: SimulatorConfiguration) async throws -> SimulatedStores {
        let keys = try StoreKeys(in: configuration.directory, apps: configuration.apps)
        let front = StoreFront(
            keys: keys, apps: configuration.apps, customers: lives(configuration), play: playLives(configuration),
            clock: configuration.startClock)
        let tokens = TokenOffice(accounts: keys.play)
        let desk = Desk(
            front: front, play: PlayDesk(front: front.play, tokens: tokens),
            pubSub: PubSubDesk(front: front.play, tokens: tokens),
            judge: TokenJudge(apps: configuration.apps, keys: keys.apps), quotas: Quotas(configuration.quota),
            faults: Faults())
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        let server = StoreServer(desk: desk, directory: configuration.directory, port: configuration.port)
        let application = try server.application { announce.yield($0) }
        let serving = Task {
            defer { announce.finish() }
            try await application.run()
        }
        guard let port = await ports.first(where: { _ in true }) else {
            try await serving.value
            throw SimulatorError("the simulated store did not start")
        }
        try desk.play.tokens.opened(at: "https://127.0.0.1:\(port)/token")
        return SimulatedStores(port: port, configuration: configuration, desk: desk, serving: serving)
    }

    private static func lives(_ configuration: SimulatorConfiguration) -> [CustomerLife] {
        let firstNight = configuration.startClock + CivilTime.day
        return configuration.customers
            ?? Population.lives(
                seed: configuration.seed, customersPerApp: configuration.customersPerApp, apps: configuration.apps,
                span: Population.Span(
                    firstNight: firstNight, horizon: firstNight + configuration.horizonDays * CivilTime.day),
                themes: configuration.themes)
    }

    private static func playLives(_ configuration: SimulatorConfiguration) -> [PlayCustomer] {
        let firstNight = configuration.startClock + CivilTime.day
        return configuration.playCustomers
            ?? PlayPopulation.lives(
                seed: configuration.seed, customersPerApp: configuration.customersPerApp, apps: configuration.apps,
                span: Population.Span(
                    firstNight: firstNight, horizon: firstNight + configuration.playHorizonDays * CivilTime.day),
                without: configuration.playWithout)
    }

    package var baseURL: String { "https://127.0.0.1:\(port)" }
    package var books: Books { front.books }
    package func setClock(_ now: Int64) { front.setClock(now) }

    /// First purchases and repurchases after `since`, up to `until`: what the app's backend hands in.
    package func registrations(since: Int64, until: Int64) -> [Registration] {
        front.registrations(since: since, until: until)
    }

    /// The version 1 notifications that reached the owners' servers after `since`, up to `until`.
    package func posts(since: Int64, until: Int64) throws -> [PostedNotification] {
        try front.posts(since: since, until: until)
    }

    /// Serves a recorded answer byte for byte for that receipt, in that environment.
    package func record(receipt: String, answer: [UInt8], in environment: StoreEnvironment) {
        front.record(receipt: receipt, answer: answer, in: environment)
    }

    /// Serves until it is stopped or fails.
    package func serve() async throws { try await serving.value }

    /// Stops serving. It does not wait for connections to close: a client that was killed never says goodbye.
    package func stop() { serving.cancel() }
}
