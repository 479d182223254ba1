// SPDX-License-Identifier: Apache-2.0

import Notifications
import Stores
import TestSupport
import Testing

/// What others got wrong about the store's words.
@Suite struct GoldenNotificationTests {
    @Test
    func `Golden: an event that Apple renamed overnight is stored, counted, followed up (public parsers)`() async throws
    {
        try await NotificationWorld.with { world in
            // "Price" became "Offer": the old name is known, the new one is still unknown.
            for (number, type) in ["PRICE_INCREASE", "OFFER_INCREASE"].enumerated() {
                try await world.closed("100\(number)")
                let letter = try SampleNotifications.v2(type, "PENDING", id: "100\(number)", uuid: "uuid-\(number)")
                try await world.insert(letter, .appStoreV2)
            }
            let counts = try #require(try await world.run().apps.first?.counts)
            #expect(counts.read == 2 && counts.applied == 2)
            #expect(counts.unknownTypes.map { "\($0.key) \($0.value)" } == ["OFFER_INCREASE/PENDING 1"])
            #expect(
                try await world.verdicts() == ["applied|OFFER_INCREASE/PENDING|", "applied|PRICE_INCREASE/PENDING|"])
            #expect(try await world.subscriptions().filter { $0.contains("|-infinity|") }.count == 2)
            #expect(try await world.bookedRows() == ["0|0|0"], "a hint books nothing")
        }
    }
}
