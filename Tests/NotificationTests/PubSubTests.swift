// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Model
import Notifications
import Postgres
import Runs
import Signing
import Stores
import Synchronization
import Testing
import TestSupport

/// Play's notifications out of Pub/Sub: acknowledged only after the commit, whatever breaks between.
@Suite struct PubSubTests {
    /// A Pub/Sub subscription on loopback: what is not acknowledged comes again.
    private final class Queue: Sendable {
        private struct State {
            var messages: [String: String]
            var acknowledged: [[String]] = []
            var scopes: [String] = []
        }

        private let state: Mutex<State>
        let answerToAcknowledge: @Sendable () -> LoopbackServer.Answer

        /// Messages by their acknowledgement id.
        init(
            _ messages: [String: String],
            answerToAcknowledge: @escaping @Sendable () -> LoopbackServer.Answer = { .init(200, "{}") }
        ) {
            state = Mutex(State(messages: messages))
            self.answerToAcknowledge = answerToAcknowledge
        }

        var acknowledged: [[String]] { state.withLock { $0.acknowledged } }
        var left: Int { state.withLock { $0.messages.count } }

        func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Answer? {
            switch request.path {
            case "/v1/projects/acme/subscriptions/play:pull": pull()
            case "/v1/projects/acme/subscriptions/play:acknowledge": acknowledge(request)
            default: nil
            }
        }

        private func pull() -> LoopbackServer.Answer {
            let messages = state.withLock { $0.messages }.sorted { $0.key < $1.key }.prefix(2)
            guard !messages.isEmpty else { return .init(200, "{}") }
            return .init(
                200,
                "{\"receivedMessages\":["
                    + messages.map { "{\"ackId\":\"\($0.key)\",\"message\":\($0.value)}" }.joined(separator: ",") + "]}"
            )
        }

        private func acknowledge(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
            let body = try? JSONDecoder().decode([String: [String]].self, from: Data(request.body))
            let answer = answerToAcknowledge()
            state.withLock { state in
                state.acknowledged.append((body?["ackIds"] ?? []).sorted())
                guard answer.status == 200 else { return }
                for id in body?["ackIds"] ?? [] { state.messages[id] = nil }
            }
            return answer
        }
    }

    private static func message(_ notification: String, id: String) -> String {
        SampleNotifications.json([
            "data": Base64.encode(Array(notification.utf8)), "messageId": id, "publishTime": "2026-03-10T11:00:00Z",
        ])
    }

    private static func three() -> [String: String] {
        [
            "ack-1": message(SampleNotifications.subscription(4, token: "token-1"), id: "m-1"),
            "ack-2": message(SampleNotifications.subscription(2, token: "token-2"), id: "m-2"),
            // It can never be read, and would come again for ever.
            "ack-3": #"{"data":"%%%","messageId":"m-3"}"#,
        ]
    }

    @Test func `C2: Pub/Sub is drained, with tokens of its own scope, and acknowledged batch by batch`() async throws {
        let queue = Queue(Self.three())
        try await NotificationWorld.with(queue.answer) { world in
            let counts = try #require(try await world.run("acme-android", pulls: true).apps.first?.counts)
            #expect(counts.pulled == 3 && counts.applied == 2 && counts.refused == 1 && counts.registered == 2)
            #expect(queue.acknowledged == [["ack-1", "ack-2"], ["ack-3"]] && queue.left == 0)
            #expect(
                try await world.verdicts() == [
                    "applied|SUBSCRIPTION_PURCHASED|", "applied|SUBSCRIPTION_RENEWED|", "refused||malformed_json",
                ])
            let stored = try await world.connection.lines(
                "select dedupe_key, payload::jsonb #>> '{message,messageId}' from notification_inbox where state = 'applied' order by 1"
            )
            #expect(stored == ["m-1|m-1", "m-2|m-2"])
            let form = try #require(world.server.requests.first { $0.path == "/token" }).body
            let assertion = try #require(String(decoding: form, as: UTF8.self).split(separator: "assertion=").last)
            let claims = try #require(Base64URL.decode(assertion.split(separator: ".")[1]))
            #expect(
                String(decoding: claims, as: UTF8.self).replacing("\\/", with: "/").contains(
                    "\"https://www.googleapis.com/auth/pubsub\""))
        }
    }

    /// A request is put to some of the servers that hold messages: those of the others come with a later one.
    @Test func `C2: four empty answers in a row are no end; no request asks for an answer at once`() async throws {
        let asked = Mutex(0)
        let queue = Queue(Self.three())
        try await NotificationWorld.with { request in
            guard request.path.hasSuffix(":pull") else { return queue.answer(request) }
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            // Full, empty four times, full, empty four times, and so on.
            return number % 5 == 1 ? queue.answer(request) : .init(200, "{}")
        } _: { world in
            let counts = try #require(try await world.run("acme-android", pulls: true).apps.first?.counts)
            #expect(counts.pulled == 3 && queue.left == 0)
            let pulls = world.server.requests.filter { $0.path.hasSuffix(":pull") }
            // Two with messages, four empty ones between them, five behind them.
            #expect(pulls.count == 11)
            #expect(pulls.allSatisfy { String(decoding: $0.body, as: UTF8.self) == #"{"maxMessages":1000}"# })
        }
    }

    @Test func `C2: nothing is acknowledged when the commit fails; the next run takes it all`() async throws {
        let queue = Queue(Self.three())
        try await NotificationWorld.with(queue.answer) { world in
            try await world.connection.script(
                """
                create function public.refuse() returns trigger language plpgsql as
                    $$ begin raise exception 'refused' using errcode = 'integrity_constraint_violation'; end $$;
                create constraint trigger refuse after insert on subledger.notification_inbox
                    deferrable initially deferred for each row execute function public.refuse();
                """)
            await #expect(throws: PostgresError.self) { try await world.run("acme-android", pulls: true) }
            #expect(queue.acknowledged.isEmpty && queue.left == 3)
            #expect(try await world.subscriptions() == [])
            try await world.connection.script("drop trigger refuse on subledger.notification_inbox")
            #expect(try await world.run("acme-android", pulls: true).outcome == .done)
            #expect(queue.left == 0)
            #expect(try await world.subscriptions().count == 2)
        }
    }

    @Test
    func `C2: after a kill between commit and acknowledgement the next run stores no notification twice`() async throws
    {
        let isFirst = Mutex(true)
        let queue = Queue(Self.three()) {
            let isAcquired = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            return isAcquired ? .init(500, "", delay: .seconds(30)) : .init(200, "{}")
        }
        try await NotificationWorld.with(queue.answer) { world in
            let program = try CommandLineRun(
                product: "subledger",
                arguments: [
                    "notifications", "--app", "acme-android", "--now", "2026-03-10T12:00:00Z", "--config", world.file,
                ]
            ).start()
            while queue.acknowledged.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
            kill(program.processID, SIGKILL)
            #expect(await program.result().exitCode == 137)
            #expect(try await world.verdicts().count == 2, "the first batch was committed")
            // Whether it is dead is not to be seen before its lease is over: the next start waits, and says so.
            let next = try CommandLineRun(
                product: "subledger",
                arguments: [
                    "notifications", "--app", "acme-android", "--now", "2026-03-10T13:00:00Z", "--config", world.file,
                ]
            ).start()
            try await Task.sleep(for: .seconds(2))
            // Replaces the wait of a minute.
            try await world.connection.script("update subledger.runs set leased_until = clock_timestamp()")
            let again = await next.result()
            #expect(again.exitCode == 0, "\(again.standardError)")
            #expect(again.standardError.contains("this job waits for it"))
            #expect(again.standardOutput.contains("3 fetched · 0 applied · 2 ignored (2 duplicates) · 1 refused"))
            #expect(queue.left == 0)
            #expect(try await world.verdicts().count == 3)
            // The next start of its business date goes on with the run, under the run's own clock.
            let runs = try await world.connection.lines(
                "select outcome, seal, to_char(logical_now at time zone 'UTC', 'HH24:MI') from subledger.runs order by run_id"
            )
            #expect(runs == ["done|1|12:00"])
        }
    }

    @Test func `C2: a Pub/Sub subscription that is refused only loses the pull, and says what to check`() async throws {
        try await NotificationWorld.with { request in
            request.path.hasPrefix("/v1/projects/") ? .init(403, #"{"error":{"code":403}}"#) : nil
        } _: { world in
            try await world.insert(
                SampleNotifications.subscription(2, token: "token-1"), .playRTDN, app: "acme-android")
            let summary = try await world.run("acme-android", pulls: true)
            #expect(summary.outcome == .partial && summary.stoppedApps.isEmpty)
            #expect(summary.apps.first?.counts?.applied == 1)
            #expect(summary.apps.first?.counts?.pullFailure?.contains("pubsub_subscription") == true)
        }
    }

    @Test func `C2: a refused access token is renewed once and asked with again`() async throws {
        let asked = Mutex(0)
        let queue = Queue(Self.three())
        try await NotificationWorld.with { request in
            guard request.path.hasSuffix(":pull") else { return queue.answer(request) }
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            return number == 1 ? .init(401, #"{"error":{"code":401}}"#) : queue.answer(request)
        } _: { world in
            let summary = try await world.run("acme-android", pulls: true)
            #expect(summary.outcome == .done)
            #expect(world.server.requests.count { $0.path == "/token" } == 2 && queue.left == 0)
        }
    }
}
