// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// The product list that the owner imports, in a night.
@Suite(.hangLimit) struct ProductLevelTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"),
        .play(id: "acme-android", packageName: "com.acme.app"),
    ]

    @Test
    func `B7: a change between products of the same imported level is a crossgrade, whatever they cost`() async throws {
        try await NightWorld.with(seed: 41, customersPerApp: 200, apps: Self.apps) { try await Self.play(in: $0) }
    }

    private static func play(in world: NightWorld) async throws {
        world.stores.setClock(NightWorld.instant(of: 1).micros)
        let products = Set(world.stores.books.transactions(.happened).map { [$0.appID, $0.productID] })
        let lines = products.map { "\($0[0]),\($0[1]),,everything,1," }.sorted()
        let file = world.directory + "/products.csv"
        try (["app_id,product_id,period,subscription_group,level,valid_from"] + lines).joined(separator: "\n")
            .write(toFile: file, atomically: true, encoding: .utf8)
        let imported = try await world.subledger("import", "products", file, "--now", NightWorld.instant(of: 1).iso8601)
        try #require(imported.exitCode == 0, "\(imported.standardError)")
        try await world.night(1, "--no-reports")
        let expected = world.stores.books.transactions(.disclosed)
        #expect(expected.count { $0.kind == .upgrade || $0.kind == .downgrade } > 10, "too few to prove anything")
        expectSame(try await world.bookedTransactions(), Set(expected.map(sideways)), "transactions of one level")
    }

    private static func sideways(_ it: BookedTransaction) -> BookedTransaction {
        var moved = it
        if it.kind == .upgrade || it.kind == .downgrade { moved.kind = .crossgrade }
        return moved
    }
}
