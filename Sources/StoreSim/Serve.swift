// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SimulatorServer
import StoreSimulator

/// Serves until it is terminated.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve three simulated apps until terminated: two of the App Store, one of Google Play.",
        discussion: """
            The directory receives keys and certificates, apps.yaml (the apps: of a configuration), what their owner would \
            import (products.csv, prices.csv, tax-rates.csv, and rates.csv for one dollar) and, last, control: \
            the address that takes POST /sim/clock {"micros": N}, which moves the store's clock, \
            GET /sim/registrations?since=MICROS&until=MICROS, which tells what the app's backend would hand in, and \
            GET /sim/traffic, which counts the requests.
            """)

    @Option(help: "Where keys, certificates and addresses are written.") var directory: String
    @Option(help: "The same seed gives the same customers.") var seed: UInt64 = 1
    @Option(help: "Customers of each app.") var customers = 150
    @Option(help: "Only this app; may be given several times.") var app: [String] = []
    @Option(help: "Instead of the three: so many apps of the App Store that are read by receipts.")
    var receiptApps: Int?
    @Option(help: "The store's clock at the start, ISO 8601; the first night is a day later.") var clock: String

    @Option(help: "The address to listen at: another machine's programs can ask it there.")
    var listen = SimulatorConfiguration.loopback

    @Option(
        help: "Refuse what is over so many requests of an endpoint within a minute; programs are to ask at that rate.")
    var perMinute: Int?
    @Flag(help: "Refuse nothing: a program asks as fast as it can.") var unbound = false
    @Option(help: "Customers of the App Store all pay for so many months; unless said, they do all that customers do.")
    var months: Int?
    @Flag(help: "Give an answer again, unexamined, to who asks the same until the clock moves.") var cached = false

    private static let apps: [SimulatedApp] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.legacy"),
        .play(id: "demo-android", packageName: "com.acme.app"),
    ]

    func run() async throws {
        guard let start = CivilTime.instant(iso8601: clock) else { throw ValidationError("--clock is no instant") }
        let served = try servedApps()
        var configuration = SimulatorConfiguration(
            seed: seed, customersPerApp: customers, apps: served, startClock: start, directory: directory)
        configuration.host = listen
        if let perMinute {
            configuration.quota = Quotas.Limit(requests: perMinute, seconds: 60)
            configuration.requestsPerSecond = perMinute / 60
        } else if unbound {
            configuration.quota = nil
            configuration.requestsPerSecond = 10_000
        }
        configuration.remembersAnswers = cached
        if let months {
            configuration.customers = served.filter { $0.api != .play }.enumerated().flatMap { place, app in
                UniformLives.lives(
                    of: app, customers: customers, after: place * customers, months: months,
                    firstNight: start + CivilTime.day)
            }
        }
        let stores = try await SimulatedStores.start(configuration)
        try stores.appsConfiguration().write(toFile: directory + "/apps.yaml", atomically: true, encoding: .utf8)
        for (name, text) in stores.ownersLists.files {
            try text.write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
        }
        try (stores.baseURL + "\n").write(toFile: directory + "/control", atomically: true, encoding: .utf8)
        try await stores.serve()
    }
    private func servedApps() throws -> [SimulatedApp] {
        if let receiptApps {
            return (1...max(receiptApps, 1)).map { .receipt(id: "app-\($0)", bundleID: "com.acme.app\($0)") }
        }
        let served = Self.apps.filter { app.isEmpty || app.contains($0.id) }
        guard !served.isEmpty else {
            throw ValidationError("--app is one of \(Self.apps.map(\.id).joined(separator: ", "))")
        }
        return served
    }
}
