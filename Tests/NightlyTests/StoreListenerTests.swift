// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Model
import Notifications
import Runs
import Stores
import Synchronization
import TestSupport
import Testing

/// Unsolicited store events are read for all apps at once: no app waits until another one's store has answered.
@Suite(.hangLimit) struct StoreListenerTests {
    private static let now = Instant(micros: 1_773_108_900_000_000)
    private static let apps = [AppID("acme-ios"), AppID("acme-receipts")]

    @Test func `store events of several apps are read concurrently`() async throws {
        try await withLedgerDatabase { connection, database in
            let run = try await RunLedger(connection: connection).open(
                .nightly, apps: Self.apps, now: Self.now,
                businessDate: BusinessDate(lastCompleteDayBefore: Self.now, in: .gmt))
            let meeting = Meeting(of: Self.apps.count)
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            // Fewer sessions than apps: none is taken while a store is asked.
            let listener = StoreListener(sessions: DatabaseSessions(database, limit: 1, logger: logger), logger: logger)
            // An app that is read alone waits for the other one until the limit of half a minute, and fails.
            _ = try await listener.listen(
                to: Self.apps.map { MeetingStore(appID: $0, meeting: meeting).app }, in: run,
                .everything(within: .seconds(30)))
            #expect(
                try await connection.lines("select app_id from subledger.store_event_watermarks order by app_id")
                    == ["acme-ios", "acme-receipts"])
        }
    }

    @Test func `the notifications job reads several apps concurrently`() async throws {
        try await withLedgerDatabase { connection, database in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let meeting = Meeting(of: Self.apps.count)
            let job = NotificationJob(sessions: DatabaseSessions(database, logger: logger), logger: logger)
            let summary = try await job.run(
                Self.apps.map { MeetingStore(appID: $0, meeting: meeting, pulls: true).app }, now: Self.now,
                businessDate: BusinessDate(lastCompleteDayBefore: Self.now, in: .gmt), pulls: true)
            #expect(meeting.isComplete, "nobody was asked for what it keeps")
            #expect(summary.apps.map(\.app) == Self.apps)
            #expect(summary.apps.map { $0.counts?.pullFailure } == [nil, nil])
            #expect(summary.stoppedApps.map(\.message) == [])
            #expect(summary.outcome == .done)
        }
    }
}

/// Ends when everybody is there; who has waited for two minutes was left alone.
private final class Meeting: Sendable {
    private let missing: Mutex<Int>

    init(of count: Int) { missing = Mutex(count) }

    var isComplete: Bool { missing.withLock { $0 == 0 } }

    func attend() async throws(StoreFailure) {
        missing.withLock { $0 -= 1 }
        let latest = ContinuousClock.now + .seconds(120)
        while !isComplete {
            guard ContinuousClock.now < latest, (try? await Task.sleep(for: .milliseconds(5))) != nil else {
                throw StoreFailure(.transient, reason: "alone", message: "Nobody else was asked.")
            }
        }
    }
}

/// A store that reports its events when every other one was asked for theirs.
private struct MeetingStore: Store {
    let appID: AppID
    let meeting: Meeting
    /// It keeps its notifications to be fetched.
    var pulls = false
    let kind = StoreKind.googlePlay
    let refundWatchDays: [Int64] = []

    func pull(since: Instant, until: Instant, through client: ThrottledClient) -> (any NotificationPull)? {
        pulls ? MeetingPull(meeting: meeting) : nil
    }

    func events(since: Instant?, through client: ThrottledClient) async throws(StoreFailure) -> StoreEvents {
        try await meeting.attend()
        return StoreEvents(readUntil: Instant(micros: 1_773_108_900_000_000), items: [])
    }

    func inquiries(for due: [DueSubscription]) -> [Inquiry] { [] }

    func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer {
        StoreAnswer(inquiry: inquiry, environment: .production, documents: [], answeredAt: nil)
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading {
        throw UnreadableAnswer(reason: "never", message: "Nobody reads here.")
    }
}

/// Nothing to fetch, once every other store was asked for theirs.
private struct MeetingPull: NotificationPull {
    let meeting: Meeting

    mutating func next() async throws(StoreFailure) -> NotificationBatch? {
        try await meeting.attend()
        return nil
    }
}
