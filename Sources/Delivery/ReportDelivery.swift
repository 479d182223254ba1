// SPDX-License-Identifier: Apache-2.0

package import Foundations
import Issues
package import Logging
package import Model
import Rendering
package import Runs

/// Notifies the recipients of the newest issue: each once, the others not delayed by one that does not answer.
package struct ReportDelivery: Sendable {
    /// What became of it.
    package struct Outcome: Sendable {
        package struct Failure: Sendable, Hashable {
            package let recipient: String
            package let reason: String
        }

        /// The issue's folder; nil where nothing was issued yet.
        package let issue: String?
        package let delivered: [String]
        package let failures: [Failure]
    }

    /// Connections to mail servers and webhooks at once.
    private static let width = 4

    private let ledger: DeliveryLedger
    private let settings: DeliverySettings
    private let directory: String
    private let now: Instant
    private let again: Bool
    private let logger: Logger
    private let schedule: RetrySchedule
    private let permits = AsyncSemaphore(width)

    /// `directory`: the reports' own.
    ///
    /// `again`: also to those who had it.
    package init(
        sessions: DatabaseSessions, settings: DeliverySettings, directory: String, now: Instant, again: Bool,
        logger: Logger, backoff: Backoff? = nil
    ) {
        ledger = DeliveryLedger(sessions: sessions)
        (self.settings, self.directory, self.now, self.again) = (settings, directory, now, again)
        self.logger = logger
        schedule =
            backoff.map { RetrySchedule(retryFor: settings.retryFor, backoff: $0) }
            ?? RetrySchedule(retryFor: settings.retryFor)
    }

    /// Throws `PipelineError` `.alreadyRunning` while another call sends, `ReportError` where the issue is not as it
    /// was issued.
    ///
    /// Where its session is lost it goes on over another one.
    package func run() async throws -> Outcome {
        try await ledger.take()
        do {
            let outcome = try await notifyAll()
            try await ledger.giveBack()
            return outcome
        } catch {
            try? await ledger.giveBack()
            throw error
        }
    }

    private func notifyAll() async throws -> Outcome {
        guard let issue = try await ledger.newestIssue(in: directory) else {
            return Outcome(issue: nil, delivered: [], failures: [])
        }
        let names = Set(settings.recipients.flatMap(\.attachments)).map(\.name).sorted()
        let summary = try await IssueReader(folder: issue.folder, manifestSHA256: issue.manifestSHA256)
            .summary(proving: names)
        return try await notify(try await due(of: issue, summary), of: issue.folder)
    }

    /// What is to be said of the issue, and to whom.
    private func due(of issue: DeliveryLedger.Issue, _ summary: IssueSummary) async throws -> [DueMessage] {
        let alerts = AlertRules(
            settings.thresholds, of: summary, unknownValues: try await ledger.unknownValues(of: issue.seal),
            owedReports: try await ledger.owedReports(), now: now
        ).alerts
        let plan = DeliveryPlan(
            recipients: settings.recipients, alerts: alerts, entries: try await ledger.entries(of: issue.seal),
            again: again)
        let digest = try Digest(of: summary, alerts: alerts, folder: issue.folder, link: settings.link, now: now)
        return plan.due.map { due in
            DueMessage(
                message: DeliveryMessage(
                    kind: due.kind, seal: issue.seal, recipient: due.recipient, digest: digest, folder: issue.folder,
                    manifestSHA256: issue.manifestSHA256 ?? "",
                    repetition: again ? due.entry?.deliveries ?? 0 : 0, now: now),
                kinds: plan.kinds(notifiedBy: due.kind), deliveries: due.entry?.deliveries ?? 0,
                wait: again ? .zero : due.entry?.wait ?? .zero)
        }
    }

    private func notify(_ due: [DueMessage], of issue: String) async throws -> Outcome {
        let sender = MessageSender(settings, logger: logger)
        do {
            let results = try await withThrowingTaskGroup(of: DeliveryResult.self) { group in
                for message in due { group.addTask { try await deliver(message, with: sender) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }.sorted { $0.recipient < $1.recipient }
            await sender.shutdown()
            return Outcome(
                issue: issue, delivered: results.filter { $0.reason == nil }.map(\.recipient),
                failures: results.compactMap { result in
                    result.reason.map { Outcome.Failure(recipient: result.recipient, reason: $0) }
                })
        } catch {
            await sender.shutdown()
            throw error
        }
    }

    /// Tries until the message is taken, or the schedule leaves it to a later call.
    private func deliver(_ due: DueMessage, with sender: MessageSender) async throws -> DeliveryResult {
        let (message, start) = (due.message, ContinuousClock.now)
        let recipient = message.recipient.name
        guard due.wait <= schedule.budget else {
            return DeliveryResult(
                recipient: recipient, reason: "its server asked for no further try before \(due.wait) have passed")
        }
        try await Task.sleep(for: due.wait)
        for number in 1... {
            guard let refusal = try await attempt(due, with: sender) else { break }
            let failed = refusal.reason
            logger.warning("\(recipient): \(failed.reason)")
            let step = schedule.step(after: failed, number: number, elapsed: .now - start, random: .random(in: 0..<1))
            try await ledger.fail(
                message, attempt: refusal.attempt, reason: failed.reason, nextTryAfter: step.wait)
            guard case .wait(let wait) = step else {
                return DeliveryResult(recipient: recipient, reason: failed.reason)
            }
            try await Task.sleep(for: wait)
        }
        // Not cancelled with the rest: it would be sent again.
        try await Task { try await ledger.end(message, after: due.deliveries, as: due.kinds) }.value
        return DeliveryResult(recipient: recipient, reason: nil)
    }

    /// A permit is held while it is sent, not while it waits.
    ///
    /// Nil: it was taken, by another call perhaps.
    private func attempt(_ due: DueMessage, with sender: MessageSender) async throws -> Refusal? {
        guard await permits.acquire() else { throw CancellationError() }
        defer { permits.release() }
        guard let number = try await ledger.begin(due.message, after: due.deliveries) else { return nil }
        return try await sender.send(due.message).map { Refusal(attempt: number, reason: $0) }
    }
}

/// A message with what it reports, how often it was taken before, and how long it must wait before its first try.
private struct DueMessage: Sendable {
    let message: DeliveryMessage
    let kinds: [DeliveryMessage.Kind]
    let deliveries: Int64
    let wait: Duration
}

/// An attempt that was refused, by its number in the ledger.
private struct Refusal: Sendable {
    let attempt: Int64
    let reason: FailedAttempt
}

/// What became of a message; nil: it was taken.
private struct DeliveryResult: Sendable {
    let recipient: String
    let reason: String?
}
