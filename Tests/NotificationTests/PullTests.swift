// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Logging
import Model
import Notifications
import Postgres
import Runs
import Signing
import Stores
import Synchronization
import Testing
import TestSupport

/// What the stores retain is fetched, and acknowledged only when it is committed here.
@Suite struct PullTests {
    private static let history = "/inApps/v1/notifications/history"

    /// The windows that were asked for, in hours before the run's now, with the page's token.
    private static func windows(_ world: NotificationWorld) throws -> [String] {
        try world.server.requests.filter { $0.path.hasPrefix(history) }.map { request in
            let body = try #require(try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Int64])
            let (start, end) = (try #require(body["startDate"]), try #require(body["endDate"]))
            let token = request.path.dropFirst(history.count)
            let now = NotificationWorld.now.milliseconds
            return "\((start - now) / 3_600_000)…\((end - now) / 3_600_000)\(token)"
        }
    }

    private static func page(_ letters: [String], token: String? = nil) throws -> LoopbackServer.Answer {
        let entries = try letters.map { letter in
            try #require(try JSONSerialization.jsonObject(with: Data(letter.utf8)) as? SampleNotifications.Object)
        }
        var page: SampleNotifications.Object = ["hasMore": token != nil, "notificationHistory": entries]
        page["paginationToken"] = token
        return .init(200, SampleNotifications.json(page))
    }

    @Test
    func `C2: the App Store's history is read from a night before the install, then from the mark on`() async throws {
        try await NotificationWorld.with { world in
            let first = try await world.run("acme-ios", pulls: true)
            #expect(first.outcome == .done && first.apps.first?.counts?.pulled == 0)
            let asked = try Self.windows(world)
            #expect(asked == ["-20…0"])
            #expect(world.server.requests.allSatisfy { $0.header("authorization")?.hasPrefix("Bearer ") == true })
            let later = NotificationWorld.now + .hours(30)
            try await world.run("acme-ios", now: later, pulls: true)
            #expect(try Self.windows(world).dropFirst() == ["-2…22", "22…30"])
            let marks = try await world.connection.lines("select pulled_until, recorded_run_id from notification_pulls")
            #expect(marks == ["2026-03-11T18:00:00+00:00|2"])
        }
    }

    @Test
    func `C2: pages are followed, known ones are not stored twice, and new ones request checks and register`()
        async throws
    {
        let letters = try (1...3).map { try SampleNotifications.v2(id: "200\($0)", uuid: "uuid-\($0)") }
        let forged = try SampleNotifications.envelope(
            SampleNotifications.payload(
                "DID_RENEW", uuid: "f", data: try SampleNotifications.data(SampleNotifications.transaction("2009"))),
            by: try SigningStore())
        let pages = [
            "": try Self.page([letters[0], forged], token: "t/1"),
            "?paginationToken=t%2F1": try Self.page([letters[1]], token: "t2"),
            "?paginationToken=t2": try Self.page([letters[2]]),
        ]
        try await NotificationWorld.with { request in
            guard request.path.hasPrefix(Self.history) else { return nil }
            return pages[String(request.path.dropFirst(Self.history.count))]
        } _: { world in
            try await world.pulledUntil(NotificationWorld.now - .hours(1))
            try await world.closed("2001")
            try await world.insert(letters[1], .appStoreV2)
            let counts = try #require(try await world.run("acme-ios", pulls: true).apps.first?.counts)
            #expect(counts.read == 1 && counts.pulled == 4 && counts.duplicates == 1 && counts.refused == 1)
            #expect(counts.applied == 3 && counts.registered == 2)
            #expect(try Self.windows(world) == ["-3…0", "-3…0?paginationToken=t%2F1", "-3…0?paginationToken=t2"])
            let again = try #require(try await world.run("acme-ios", pulls: true).apps.first?.counts)
            #expect(again.pulled == 4 && again.duplicates == 4 && again.applied == 0)
            let rows = try await world.connection.lines(
                "select state, dedupe_key, is_pulled, received_at from notification_inbox where state <> 'refused' order by 2"
            )
            #expect(
                rows == [
                    "applied|uuid-1|true|2026-03-10T12:00:00+00:00",
                    rows.first { $0.hasPrefix("applied|uuid-2|false|") } ?? "not pushed first",
                    "applied|uuid-3|true|2026-03-10T12:00:00+00:00",
                ])
            #expect(try await world.subscriptions().allSatisfy { $0.hasSuffix("|-infinity|notified") })
        }
    }

    @Test func `C2: a page's token that has run out starts its window again, once`() async throws {
        let letter = try SampleNotifications.v2(uuid: "uuid-1")
        let first = try Self.page([letter], token: "old")
        let asked = Mutex(0)
        try await NotificationWorld.with { request in
            guard request.path.hasPrefix(Self.history) else { return nil }
            if request.path.hasSuffix("=old") {
                return asked.withLock { asked in
                    asked += 1
                    return asked == 1 ? .init(400, #"{"errorCode":4000017}"#) : nil
                }
            }
            return first
        } _: { world in
            try await world.pulledUntil(NotificationWorld.now - .hours(1))
            let counts = try #require(try await world.run("acme-ios", pulls: true).apps.first?.counts)
            #expect(
                try Self.windows(world) == ["-3…0", "-3…0?paginationToken=old", "-3…0", "-3…0?paginationToken=old"])
            #expect(counts.applied == 1 && counts.duplicates == 1 && counts.pullFailure == nil)
        }
    }

    @Test func `C2: an app without a notification URL only loses the pull, said once`() async throws {
        try await NotificationWorld.with { request in
            request.path.hasPrefix(Self.history) ? .init(404, #"{"errorCode":4040007}"#) : nil
        } _: { world in
            try await world.insert(try SampleNotifications.v2(), .appStoreV2)
            var said: [Bool] = []
            for hour in 12...14 {
                let result = try await world.subledger(
                    "notifications", "--app", "acme-ios", "--now", "2026-03-10T\(hour):00:00Z")
                #expect(result.exitCode == 0)
                said.append(result.standardError.contains("4040007"))
            }
            #expect(said == [true, false, false])
            #expect(try Self.windows(world).count == 3)
            #expect(try await world.verdicts() == ["applied|DID_RENEW|"])
        }
    }

    @Test func `C2: a history that cannot be read to the end retains what was read, and goes on there`() async throws {
        let page = try Self.page([try SampleNotifications.v2(uuid: "uuid-1")])
        let isBroken = Mutex(true)
        try await NotificationWorld.with { request in
            guard request.path.hasPrefix(Self.history) else { return nil }
            let isSecondDay = String(decoding: request.body, as: UTF8.self).contains(
                "\"endDate\":\(NotificationWorld.now.milliseconds)")
            return isSecondDay && isBroken.withLock { $0 } ? .init(400, #"{"errorCode":4000012}"#) : page
        } _: { world in
            try await world.pulledUntil(NotificationWorld.now - .hours(30))
            let summary = try await world.run("acme-ios", pulls: true)
            #expect(summary.outcome == .partial && summary.apps.first?.counts?.pullFailure?.contains("4000012") == true)
            let mark = try await world.connection.lines("select pulled_until from notification_pulls")
            #expect(mark == ["2026-03-10T04:00:00+00:00"])
            isBroken.withLock { $0 = false }
            let again = try await world.run("acme-ios", pulls: true)
            #expect(again.outcome == .done)
            #expect(try Self.windows(world) == ["-32…-8", "-8…0", "-10…0"])
        }
    }

    @Test
    func `C2: refused credentials stop their app, others go on: partial, or failed if no app finished`() async throws {
        try await NotificationWorld.with { request in
            request.path.hasPrefix(Self.history) ? .init(401, "") : nil
        } _: { world in
            let both = try await world.run("acme-ios", "acme-android", pulls: true)
            #expect(both.outcome == .partial && both.stoppedApps.map(\.app) == [AppID("acme-ios")])
            #expect(both.stoppedApps.first?.message.contains("401") == true)
            let alone = try await world.run("acme-ios", pulls: true)
            #expect(alone.outcome == .failed)
            let runs = try await world.connection.lines("select outcome, seal from subledger.runs order by run_id")
            #expect(runs == ["partial|1", "failed|2"])
        }
    }

    @Test
    func `C2: a late first pull still begins a night before the app was installed, a day at a time`() async throws {
        try await NotificationWorld.with { world in
            try await world.run("acme-ios", pulls: false)
            try await world.run("acme-ios", now: NotificationWorld.now + .hours(30), pulls: true)
            #expect(try Self.windows(world) == ["-20…4", "4…28", "28…30"])
        }
    }

    @Test func `C2: where nothing in the store's history can be verified, the mark stays, and that is reported`()
        async throws
    {
        let forged = try SampleNotifications.envelope(
            SampleNotifications.payload(
                "DID_RENEW", uuid: "f", data: try SampleNotifications.data(SampleNotifications.transaction("2009"))),
            by: try SigningStore())
        let page = try Self.page([forged])
        try await NotificationWorld.with {
            $0.path.hasPrefix(Self.history) ? page : nil
        } _: { world in
            try await world.pulledUntil(NotificationWorld.now - .hours(10))
            let summary = try await world.run("acme-ios", pulls: true)
            #expect(summary.outcome == .partial)
            #expect(summary.apps.first?.counts?.pullFailure?.contains("root_certificate_file") == true)
            let marks = try await world.connection.lines("select pulled_until from notification_pulls")
            #expect(marks == ["2026-03-10T02:00:00+00:00"])
            let stored = try await world.connection.lines("select count(*) from notification_inbox")
            #expect(stored == ["0"])
        }
    }

    @Test func `C2: --no-pull sends no request`() async throws {
        try await NotificationWorld.with { world in
            try await world.run()
            #expect(world.server.requests.isEmpty)
        }
    }
}

extension NotificationWorld {
    /// The last pull of `acme-ios` ended there.
    func pulledUntil(_ mark: Instant) async throws {
        try await connection.script(
            "insert into subledger.notification_pulls values ('acme-ios', '\(mark.iso8601)', null, 0)")
    }
}
