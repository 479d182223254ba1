// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Logging
import Model
import Nightly
import Synchronization

/// The pings of one start of `nightly`: when a night is opened or resumed, and when it ends.
///
/// None of them delays the night, and none fails it.
final class NightPings: Sendable {
    private struct State {
        var start: Task<Void, Never>?
        /// Once the configuration was read.
        var context: JobContext?
    }

    private let path: String
    private let environment: [String: String]
    private let startedAt = ContinuousClock.now
    private let state = Mutex(State())

    /// `config`: as `--config` names it.
    init(config: String?, environment: [String: String] = ProcessInfo.processInfo.environment) {
        path = ConfigurationFile.path(option: config, environment: environment)
        self.environment = environment
    }

    /// What is asked of the database where the night may yet be made good.
    func use(_ context: JobContext) { state.withLock { $0.context = context } }

    /// A night was opened or resumed.
    func start() {
        let ping = Task {
            guard let files = ConfigurationFile.pings(path, environment: environment) else { return }
            await Self.send(.start, by: files)
        }
        state.withLock { $0.start = ping }
    }

    /// The start of `nightly` ends with that status.
    func end(_ code: Int32) async {
        let (start, context) = state.withLock { ($0.start, $0.context) }
        await start?.value
        guard let files = ConfigurationFile.pings(path, environment: environment) else { return }
        let elapsed = code == JobEnding.tryLater.rawValue ? await elapsed(context) : .zero
        let limit = context?.configuration.nightly.finishWithin ?? Configuration.Nightly.usualTime
        let event = PingEvent(endingWith: code, hasStarted: start != nil, elapsed: elapsed, finishWithin: limit)
        if let event { await Self.send(event, by: files) }
    }

    /// Since the date's first start, where the database says so soon; else since our own.
    private func elapsed(_ context: JobContext?) async -> Span {
        let own = Span.seconds((.now - startedAt).components.seconds)
        guard let context else { return own }
        let date = BusinessDate(lastCompleteDayBefore: context.now, in: context.configuration.reports.timeZone)
        let known = try? await AnswerLimit.within(AnswerLimit.ofStatus) {
            // As it asks the primary: a standby may not know yet that this night began.
            try await context.readingDatabase(for: .readingInTables(job: "nightly"), patience: AnswerLimit.ofStatus) {
                try await DateStart.elapsed(since: date, on: $0)
            }
        }
        return max(own, (known ?? nil) ?? own)
    }

    private static func send(_ event: PingEvent, by files: PingFiles) async {
        // Made here: where a command line is no job, its log is known only at the end.
        let logger = Logger(label: "subledger")
        do throws(Files.Refusal) {
            guard let url = try files.url(for: event) else { return }
            await PingSender(logger: logger).send(event, to: url)
        } catch {
            logger.warning("\(PingFiles.finding(event, error)); nothing was pinged")
        }
    }
}
