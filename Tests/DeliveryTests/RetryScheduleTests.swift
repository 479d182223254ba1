// SPDX-License-Identifier: Apache-2.0

import Foundations
import HTTP
import Model
import Testing

@testable import Delivery

/// When a message is tried again, and what an answer means.
@Suite struct RetryScheduleTests {
    private static let schedule = RetrySchedule(
        retryFor: .minutes(2), backoff: Backoff(base: .seconds(2), cap: .seconds(60), attempts: 100))
    private static let later = FailedAttempt(reason: "busy", retry: .later(nil))

    private static func step(
        _ attempt: FailedAttempt, _ number: Int, elapsed: Int = 0, random: Double = 0
    ) -> RetrySchedule.Step {
        schedule.step(after: attempt, number: number, elapsed: .seconds(elapsed), random: random)
    }

    /// The ceiling doubles from two seconds to a minute; half of it always passes.
    @Test func `waits grow, and are never nothing`() {
        #expect(Self.step(Self.later, 1) == .wait(.seconds(1)))
        #expect(Self.step(Self.later, 1, random: 0.5) == .wait(.seconds(1.5)))
        #expect(Self.step(Self.later, 4) == .wait(.seconds(8)))
        #expect(Self.step(Self.later, 9) == .wait(.seconds(30)))
    }

    @Test(arguments: [(119, true), (120, false)])
    func `what would end after the call's time is left to the next`(_ elapsed: Int, _ isTried: Bool) {
        #expect(Self.step(Self.later, 1, elapsed: elapsed) == (isTried ? .wait(.seconds(1)) : .leave(nil)))
    }

    @Test func `a server that says when is not asked sooner, in this call or the next`() {
        let notified = FailedAttempt(reason: "busy", retry: .later(.seconds(45)))
        #expect(Self.step(notified, 1) == .wait(.seconds(45)))
        #expect(Self.step(notified, 1, elapsed: 76) == .leave(.seconds(45)))
        let short = FailedAttempt(reason: "busy", retry: .later(.milliseconds(1)))
        #expect(Self.step(short, 4) == .wait(.seconds(8)))
    }

    @Test func `what needs a person is left at once`() {
        #expect(Self.step(FailedAttempt(reason: "gone", retry: .never), 1) == .leave(nil))
    }

    @Test(
        arguments: [
            (200, nil), (204, nil), (301, .never), (400, .never), (401, .never), (404, .never), (410, .never),
            (408, .later(nil)), (425, .later(nil)), (500, .later(nil)), (503, .later(nil)),
        ] as [(Int, FailedAttempt.Retry?)])
    func `a webhook's answer decides whether to try again`(_ status: Int, _ retry: FailedAttempt.Retry?) {
        #expect(MessageSender.failure(status, retryAfter: nil, now: Instant(micros: 0))?.retry == retry)
    }

    @Test func `too many requests say how long to wait`() {
        let failed = MessageSender.failure(429, retryAfter: "30", now: Instant(micros: 0))
        #expect(failed?.retry == .later(.seconds(30)))
        #expect(failed?.reason == "the webhook answers 429; try again later")
    }

    private static func plan(
        _ alerts: [Alert], onlyAlerts: Bool = false, delivered: [DeliveryMessage.Kind] = [], again: Bool = false
    ) -> DeliveryPlan {
        let recipient = Recipient(name: "chat", channel: .webhook(Secret("https://x")), onlyAlerts: onlyAlerts)
        let entries = delivered.map { kind in
            (
                DeliveryLedger.Key(recipient: "chat", kind: kind),
                DeliveryLedger.Entry(isDelivered: true, deliveries: 1, wait: .zero)
            )
        }
        return DeliveryPlan(
            recipients: [recipient], alerts: alerts, entries: Dictionary(uniqueKeysWithValues: entries), again: again)
    }

    private static let stale = Alert.stale(app: "a", lastCheckedAt: nil)

    @Test func `every recipient is notified of an issue once, and once more when no newer data follows it`() {
        #expect(Self.plan([]).due.map(\.kind) == [.digest])
        #expect(Self.plan([], delivered: [.digest]).due.map(\.kind) == [])
        #expect(Self.plan([.notReconciled], delivered: [.digest]).due.map(\.kind) == [])
        #expect(Self.plan([Self.stale], delivered: [.digest]).due.map(\.kind) == [.stale])
        #expect(Self.plan([Self.stale], delivered: [.digest, .stale]).due.map(\.kind) == [])
        #expect(Self.plan([Self.stale]).due.map(\.kind) == [.digest])
        #expect(Self.plan([Self.stale]).kinds(notifiedBy: .digest) == [.digest, .stale])
        let missing = Alert.missingReports(["2026-04-01"])
        #expect(Self.plan([missing], delivered: [.digest, .stale]).due.map(\.kind) == [.missing])
        #expect(Self.plan([missing, Self.stale], delivered: [.digest, .missing]).due.map(\.kind) == [.stale])
        #expect(Self.plan([missing, Self.stale], delivered: [.digest, .stale, .missing]).due.map(\.kind) == [])
        #expect(Self.plan([missing, Self.stale]).kinds(notifiedBy: .stale) == [.stale, .missing])
        #expect(Self.plan([.notReconciled]).kinds(notifiedBy: .digest) == [.digest])
    }

    @Test func `a recipient of alerts alone is notified when there are some`() {
        #expect(Self.plan([], onlyAlerts: true).due.map(\.kind) == [])
        #expect(Self.plan([.notReconciled], onlyAlerts: true).due.map(\.kind) == [.digest])
        #expect(Self.plan([], onlyAlerts: true, again: true).due.map(\.kind) == [])
    }

    @Test func `again is for everybody`() {
        #expect(Self.plan([], delivered: [.digest], again: true).due.map(\.kind) == [.digest])
    }
}
