// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Model
import Stores
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// What the stores tell unasked is heard of all apps at once: none waits until another one's store has spoken.
@Suite(.hangLimit) struct HearingTests {
    private static let now = Instant(micros: 1_773_108_900_000_000)
    private static let apps = [AppID("acme-ios"), AppID("acme-receipts")]

    @Test func appsAreHeardSideBySide() async throws {
        try await withLedgerDatabase { connection, database in
            let run = try await RunLedger(connection: connection).open(
                .nightly, apps: Self.apps, now: Self.now,
                businessDate: BusinessDate(lastCompleteDayBefore: Self.now, in: .gmt))
            var options = NightlyOptions(
                now: Self.now, configuredApps: [], access: Access.Policy(buffer: .days(1), unreadLimit: .days(3)),
                reportDirectory: "/nowhere", timeZone: .utc)
            // A tenth of it is for listening: who is heard alone waits for the other one in vain, for half a minute.
            options.finishWithin = .minutes(5)
            let meeting = Meeting(of: Self.apps.count)
            let night = NightlyRun(
                database: database, apps: Self.apps.map { MeetingStore(appID: $0, meeting: meeting).app },
                options: options, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                progress: NoProgress())
            try await Hearing(night: night, run: run, stops: StoppedApps()).listen()
            #expect(
                try await connection.lines("select app_id from subledger.store_news order by app_id")
                    == ["acme-ios", "acme-receipts"])
        }
    }
}

/// Ends when everybody is there.
private final class Meeting: Sendable {
    private let missing: Mutex<Int>

    init(of count: Int) { missing = Mutex(count) }

    func join() async throws {
        missing.withLock { $0 -= 1 }
        while missing.withLock({ $0 > 0 }) { try await Task.sleep(for: .milliseconds(5)) }
    }
}

/// A store that tells its news when every other one was asked for theirs.
private struct MeetingStore: Store {
    let appID: AppID
    let meeting: Meeting
    let kind = StoreKind.googlePlay
    let refundWatchDays: [Int64] = []

    func news(since: Instant?, through conversation: Conversation) async throws(StoreFailure) -> StoreNews {
        do {
            try await meeting.join()
        } catch {
            throw StoreFailure(.cancelled, reason: "interrupted", message: "Nobody else was asked.")
        }
        return StoreNews(readUntil: Instant(micros: 1_773_108_900_000_000), items: [])
    }

    func inquiries(for due: [DueSubscription]) -> [Inquiry] { [] }

    func ask(_ inquiry: Inquiry, through conversation: Conversation) async throws(StoreFailure) -> StoreAnswer {
        StoreAnswer(inquiry: inquiry, environment: .production, documents: [], answeredAt: nil)
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading {
        throw UnreadableAnswer(reason: "never", message: "Nobody reads here.")
    }
}

private struct NoProgress: Pipeline.Progress {
    func planned(app: AppID, due: Int) {}
    func advanced(app: AppID, by count: Int) {}
    func finished() {}
}
