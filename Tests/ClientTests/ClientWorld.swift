// SPDX-License-Identifier: Apache-2.0

import SimulatorServer
import StoreSimulator
import TestSupport

/// Simulated stores whose population has lived for a while, for a client that knows nothing of us.
struct ClientWorld {
    /// 2026-03-20T02:15:00Z.
    static let now: Int64 = 1_773_972_900_000_000

    let stores: SimulatedStores
    let directory: String

    static func with(_ app: SimulatedApp, customers: Int, _ body: (ClientWorld) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            var configuration = SimulatorConfiguration(
                seed: 20_260_320, customersPerApp: customers, apps: [app], startClock: now - 75 * 86_400_000_000,
                directory: directory)
            configuration.keyStock = .shared
            // Without the rarest lives: the libraries do not know the words for groups and seats yet.
            configuration.scenarios = AppStoreScenarios.ordinary
            let stores = try await SimulatedStores.start(configuration)
            defer { stores.stop() }
            stores.setClock(now)
            try await body(ClientWorld(stores: stores, directory: directory))
        }
    }

    /// What the configuration that the stores wrote says under that name.
    func setting(_ name: String) throws -> String {
        for line in stores.appsConfiguration().split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.drop { " -{".contains($0) } }
            if parts.count == 2, parts[0] == name { return String(parts[1]) }
        }
        throw TestSupportError("the simulated store's configuration says nothing of \(name)")
    }

    /// The store keys of everything that was bought so far, each once.
    var bought: [String] {
        Array(Set(stores.registrations(since: .min, until: Self.now).map(\.storeKey))).sorted()
    }

    /// Those whose token the store still answers for: it forgets them some time after their end.
    var boughtAndAlive: [String] {
        get throws {
            let alive = Set(
                stores.books.subscriptions(.happened).filter {
                    $0.state != .unreachable && $0.expiresAt > Self.now - 50 * 86_400_000_000
                }.map(\.originalTransactionID))
            return bought.filter(alive.contains)
        }
    }

    var authority: String { directory + "/ca.pem" }
}
