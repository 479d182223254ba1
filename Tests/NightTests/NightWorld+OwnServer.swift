// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SimulatorServer
import StoreSimulator
import TestSupport

extension NightWorld {
    /// An installation whose role is no superuser and owns its database, on a server of its own: what limits roles, or
    /// sets them apart, holds for it.
    ///
    /// `settings`: what a DBA has set for the role.
    static func onOwnServer<R>(
        _ cluster: TestCluster = TestCluster(), settings: [String] = [], seed: UInt64, customersPerApp: Int,
        apps: [SimulatorConfiguration.App],
        _ body: (_ world: NightWorld, _ administrator: PostgresConnection) async throws -> R
    ) async throws -> R {
        try await withTemporaryDirectory { directory in
            var store = SimulatorConfiguration(
                seed: seed, customersPerApp: customersPerApp, apps: apps,
                startClock: (firstNight - .days(1)).micros, directory: directory + "/store")
            store.keyStock = .shared
            store.requestsPerSecond = 1_000
            let stores = try await SimulatedStores.start(store)
            defer { stores.stop() }
            return try await withOrdinaryDatabase(on: cluster, settings: settings) { owner, administrator in
                let world = NightWorld(stores: stores, connection: owner, directory: directory)
                try await world.configure(asking: administrator)
                return try await body(world, administrator)
            }
        }
    }
}
