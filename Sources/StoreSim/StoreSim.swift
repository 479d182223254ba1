// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreSimulator

/// The simulated stores as a program: for the demo, and for trying subledger without a store account.
@main
struct StoreSim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storesim", abstract: "Simulated stores that keep books of their own.", subcommands: [Serve.self])
}

/// Serves until it is terminated.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve three simulated apps on 127.0.0.1 until terminated: two of the App Store, one of Google Play.",
        discussion: """
            The directory receives keys and certificates, apps.yaml (the apps: of a configuration), what their owner would \
            import (products.csv, prices.csv, tax-rates.csv, and rates.csv for one dollar) and, last, control: \
            the address that takes POST /sim/clock {"micros": N}, which moves the store's clock, and \
            GET /sim/registrations?since=MICROS&until=MICROS, which tells what the app's backend would hand in.
            """)

    @Option(help: "Where keys, certificates and addresses are written.") var directory: String
    @Option(help: "The same seed gives the same customers.") var seed: UInt64 = 1
    @Option(help: "Customers of each app.") var customers = 150
    @Option(help: "The store's clock at the start, ISO 8601; the first night is a day later.") var clock: String

    @Flag(help: "Refuse nothing: a program asks as fast as it can.") var unbound = false

    func run() async throws {
        guard let start = CivilTime.instant(iso8601: clock) else { throw ValidationError("--clock is no instant") }
        var configuration = SimulatorConfiguration(
            seed: seed, customersPerApp: customers,
            apps: [
                .server(id: "acme-ios", bundleID: "com.acme.app"),
                .receipt(id: "acme-legacy", bundleID: "com.acme.legacy"),
                .play(id: "demo-android", packageName: "com.acme.app"),
            ], startClock: start, directory: directory)
        if unbound {
            configuration.quota = nil
            configuration.requestsPerSecond = 10_000
        }
        let stores = try await SimulatedStores.start(configuration)
        try stores.appsConfiguration().write(toFile: directory + "/apps.yaml", atomically: true, encoding: .utf8)
        for (name, text) in stores.ownersLists.files {
            try text.write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
        }
        try (stores.baseURL + "\n").write(toFile: directory + "/control", atomically: true, encoding: .utf8)
        try await stores.serve()
    }
}
