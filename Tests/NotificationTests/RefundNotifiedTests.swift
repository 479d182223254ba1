// SPDX-License-Identifier: Apache-2.0

import Stores
import TestSupport
import Testing

/// When the store said that money was given back: kept with the subscription until it has been asked about it, for the answer
/// dates no seats that were given back.
@Suite struct RefundNotifiedTests {
    /// A version 2 notification about a subscription, signed so many minutes after 11:00 of 2026-03-10.
    private static func letter(
        _ type: String, _ subtype: String? = nil, id: String = "2001", uuid: String, minutes: Int64
    ) throws -> String {
        let payload = SampleNotifications.payload(
            type, subtype, uuid: uuid, data: try SampleNotifications.data(SampleNotifications.transaction(id)))
        return try SampleNotifications.envelope(
            SampleNotifications.changed(payload, ["signedDate": SampleNotifications.signed + minutes * 60_000]))
    }

    private static func reported(_ world: NotificationWorld) async throws -> [String] {
        try await world.connection.lines(
            """
            select store_key, next_check_reason, to_char(refund_notified_at at time zone 'UTC', 'MM-DD HH24:MI') as told
            from subledger.subscriptions order by store_key
            """)
    }

    @Test
    func `B6: a notification of a refund leaves the instant when the store signed it, no other does`() async throws {
        try await NotificationWorld.with { world in
            for id in ["2001", "2002"] { try await world.closed(id) }
            try await world.insert(try Self.letter("REFUND", "SEATS", uuid: "a", minutes: 0), .appStoreV2)
            try await world.insert(try Self.letter("DID_RENEW", id: "2002", uuid: "b", minutes: 0), .appStoreV2)
            try await world.run("acme-ios")
            #expect(try await Self.reported(world) == ["2001|refund_notified|03-10 11:00", "2002|notified|"])
        }
    }

    @Test func `B6: of several notifications the first instant stays, in one run and from run to run`() async throws {
        try await NotificationWorld.with { world in
            try await world.closed("2001")
            for (uuid, minutes) in [("a", -20), ("b", -40), ("c", -30)] as [(String, Int64)] {
                try await world.insert(try Self.letter("REFUND", "SEATS", uuid: uuid, minutes: minutes), .appStoreV2)
            }
            try await world.run("acme-ios")
            #expect(try await Self.reported(world) == ["2001|refund_notified|03-10 10:20"])
            try await world.insert(try Self.letter("REFUND", "SEATS", uuid: "d", minutes: 30), .appStoreV2)
            try await world.insert(try Self.letter("DID_RENEW", uuid: "e", minutes: 40), .appStoreV2)
            try await world.run("acme-ios")
            #expect(try await Self.reported(world) == ["2001|refund_notified|03-10 10:20"])
        }
    }

    /// Version 1 is not signed, and nothing in it says when it was sent.
    @Test func `B6: a notification without a date of its own states no instant, and takes none away`() async throws {
        try await NotificationWorld.with { world in
            for id in ["2001", "2002"] { try await world.closed(id) }
            try await world.insert(try Self.letter("REFUND", "SEATS", uuid: "a", minutes: -20), .appStoreV2)
            for id in ["2001", "2002"] { try await world.insert(SampleNotifications.v1("CANCEL", id: id), .appStoreV1) }
            try await world.run("acme-ios")
            #expect(try await Self.reported(world) == ["2001|refund_notified|03-10 10:40", "2002|refund_notified|"])
        }
    }
}
