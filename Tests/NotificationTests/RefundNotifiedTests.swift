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
            select store_key, next_check_reason, to_char(refund_notified_at at time zone 'UTC', 'MM-DD HH24:MI') as unnamed, (
                select string_agg(
                    transaction_id || ' ' || to_char(
                        (timestamptz 'epoch' + at::bigint * interval '1 microsecond') at time zone 'UTC', 'MM-DD HH24:MI'),
                    ',' order by transaction_id)
                from jsonb_each_text(refund_reports) as report (transaction_id, at)
            ) as named
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
            #expect(try await Self.reported(world) == ["2001|refund_notified||20019 03-10 11:00", "2002|notified||"])
        }
    }

    @Test func `B6: of several notifications the first instant stays, in one run and from run to run`() async throws {
        try await NotificationWorld.with { world in
            try await world.closed("2001")
            for (uuid, minutes) in [("a", -20), ("b", -40), ("c", -30)] as [(String, Int64)] {
                try await world.insert(try Self.letter("REFUND", "SEATS", uuid: uuid, minutes: minutes), .appStoreV2)
            }
            try await world.run("acme-ios")
            #expect(try await Self.reported(world) == ["2001|refund_notified||20019 03-10 10:20"])
            try await world.insert(try Self.letter("REFUND", "SEATS", uuid: "d", minutes: 30), .appStoreV2)
            try await world.insert(try Self.letter("DID_RENEW", uuid: "e", minutes: 40), .appStoreV2)
            try await world.run("acme-ios")
            #expect(try await Self.reported(world) == ["2001|refund_notified||20019 03-10 10:20"])
        }
    }

    /// Of each subscription the transactions in what is kept of notifications, and whether one named none.
    private static func rows(_ world: NotificationWorld) async throws -> [String] {
        try await world.connection.lines(
            """
            select store_key, (
                select string_agg(
                    convert_from(
                        decode(rpad(translate(payload, '-_', '+/'), (length(payload) + 3) / 4 * 4, '='), 'base64'), 'UTF8'
                    )::jsonb ->> 'transactionId', ',')
                from unnest(notified_rows) as signed_row
                cross join lateral split_part(signed_row, '.', 2) as payload
            ) as ids, is_history_notified
            from subledger.subscriptions order by store_key
            """)
    }

    @Test
    func `B6: the row that a refund, a reversal, a revocation or an extension is about is stored as it was signed`()
        async throws
    {
        try await NotificationWorld.with { world in
            let types: [(String, String?)] = [
                ("REFUND", nil), ("REFUND", "SEATS"), ("REFUND_REVERSED", nil), ("REVOKE", nil),
                ("RENEWAL_EXTENDED", nil),
                ("A_NEW_WORD", nil), ("DID_RENEW", nil), ("REFUND_DECLINED", nil),
            ]
            for (number, type) in types.enumerated() {
                let id = "200\(number)"
                try await world.closed(id)
                try await world.insert(
                    try Self.letter(type.0, type.1, id: id, uuid: "u\(number)", minutes: 0), .appStoreV2)
            }
            try await world.run("acme-ios")
            #expect(
                try await Self.rows(world)
                    == (0..<types.count).map { "200\($0)|\($0 < 6 ? "200\($0)9" : "")|false" })
            #expect(try await Self.reported(world).filter { $0.hasSuffix("11:00") }.count == 5)
        }
    }

    /// Version 1 does not say which row it is about, nor does a notification with the renewal alone.
    @Test func `B6: a refund that names no row has the history read from its beginning`() async throws {
        try await NotificationWorld.with { world in
            for id in ["2001", "2002", "2003"] { try await world.closed(id) }
            try await world.insert(SampleNotifications.v1("CANCEL", id: "2001"), .appStoreV1)
            try await world.insert(SampleNotifications.v1("DID_RENEW", id: "2002"), .appStoreV1)
            try await world.insert(try Self.letter("REFUND", id: "2003", uuid: "a", minutes: 0), .appStoreV2)
            try await world.run("acme-ios")
            #expect(try await Self.rows(world) == ["2001||true", "2002||false", "2003|20039|false"])
        }
    }

    /// Version 1 is not signed, and nothing in it says when it was sent.
    @Test func `B6: a notification without a date of its own states no instant, and takes none away`() async throws {
        try await NotificationWorld.with { world in
            for id in ["2001", "2002"] { try await world.closed(id) }
            try await world.insert(try Self.letter("REFUND", "SEATS", uuid: "a", minutes: -20), .appStoreV2)
            for id in ["2001", "2002"] { try await world.insert(SampleNotifications.v1("CANCEL", id: id), .appStoreV1) }
            try await world.run("acme-ios")
            #expect(
                try await Self.reported(world)
                    == ["2001|refund_notified||20019 03-10 10:40", "2002|refund_notified||"])
        }
    }
}
