// SPDX-License-Identifier: Apache-2.0

import HTTP
import SimulatorServer
import TestSupport

@testable import StoreSimulator

/// Runs a simulated store of hand-written lives (or seeded ones, for nil) for the time of a test.
func withStores(
    _ customers: [CustomerLife]?, apps: [SimulatedApp] = [Paper.app], clock: String,
    _ change: (inout SimulatorConfiguration) -> Void = { _ in },
    _ body: (SimulatedStores, StoreClient) async throws -> Void
) async throws {
    try await withTemporaryDirectory { directory in
        var configuration = SimulatorConfiguration(
            seed: 11, customersPerApp: 40, apps: apps, startClock: instant(clock), directory: directory)
        configuration.keyStock = .shared
        configuration.customers = customers
        change(&configuration)
        let stores = try await SimulatedStores.start(configuration)
        defer { stores.stop() }
        let client = try StoreClient(stores, app: apps[0], directory: directory)
        try await body(stores, client)
        await client.http.shutdown()
    }
}
