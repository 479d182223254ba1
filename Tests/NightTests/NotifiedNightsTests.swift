// SPDX-License-Identifier: Apache-2.0

import StoreSimulator
import TestSupport
import Testing

/// Nights whose stores also tell: the App Store keeps a history of notifications, Google Play publishes to Pub/Sub.
///
/// A hint changes when a purchase is asked about and never what is booked: the tables equal the books as they do without.
@Suite(.serialized, .hangLimit) struct NotifiedNightsTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app", hasNotificationURL: true),
        .play(id: "acme-android", packageName: "com.acme.app", publishes: true),
    ]
    private static let nights = 40

    @Test
    func `C2: nights that are told equal the books, and learn the App Store's refunds the night after`() async throws {
        let hurried: (inout SimulatorConfiguration) -> Void = { $0.requestsPerSecond = 1_000 }
        try await NightWorld.with(seed: 31, customersPerApp: 120, apps: Self.apps, adapting: hurried) {
            try await Self.play(in: $0)
        }
    }

    private static func play(in world: NightWorld) async throws {
        var refunds: Set<String> = []
        for number in 1...nights {
            try await world.night(number, "--no-reports", "--quiet")
            try await world.expectTables(.disclosed, "night \(number)")
            let told = Set(world.stores.books.transactions(.disclosed).compactMap(refund))
            // The first night looks back as far as the stores do, and no further.
            let known = number == 1 ? told : Set(world.stores.books.transactions(.happened).compactMap(refund))
            #expect(known.subtracting(told).subtracting(refunds) == [], "night \(number): a refund was not learned")
            refunds.formUnion(known)
        }
        #expect(refunds.count > 15, "too few to prove anything")
        try await expectTold(world)
    }

    /// Both stores told, and every hint was dealt with.
    private static func expectTold(_ world: NightWorld) async throws {
        let told = try await world.connection.lines(
            "select app_id, count(*) > 50, count(*) filter (where handled_at is null) "
                + "from subledger.notification_inbox group by app_id order by app_id")
        #expect(told == ["acme-android|true|0", "acme-ios|true|0"])
        // What is told of is not looked at again: Play's orders alone are.
        let watched = try await world.connection.lines(
            "select distinct app_id from subledger.subscriptions where next_check_reason = 'refund_watch'")
        #expect(watched == ["acme-android"])
    }

    /// The App Store's: Google Play tells of none that leaves access as it is.
    private static func refund(_ it: BookedTransaction) -> String? {
        guard it.appID == "acme-ios" else { return nil }
        return it.refundedAt.map { "\(it.appID) \(it.transactionID) \($0) \(it.refundMicros ?? -1)" }
    }
}
