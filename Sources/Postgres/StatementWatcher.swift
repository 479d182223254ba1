// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging

/// Watches a connection's statements: says which one waits for its answer, and ends a wait that leads nowhere.
struct StatementWatcher: Sendable {
    let canceller: QueryCanceller
    let configuration: PostgresConfiguration
    let logger: Logger

    private var limits: WaitingLimits { configuration.waiting }

    /// Cuts the connection where a statement has no answer for so long.
    ///
    /// Returns by cancellation.
    func cut(after limit: Duration) async {
        await poll(every: limit / 10) { running in
            guard .now - running.started >= limit else { return }
            canceller.cut(running.ticket, because: error(.connectionLost, of: running, "the server says nothing"))
        }
    }

    /// Looks for the session whenever a statement waits for long, and does what follows.
    ///
    /// Returns by cancellation.
    func watch(_ session: ServerSession, by look: any SessionLook) async {
        var watched: WatchedStatement?
        await poll(every: limits.untilReported / 10) { running in
            var statement =
                watched?.running.ticket == running.ticket
                ? watched ?? WatchedStatement(running, limits: limits) : WatchedStatement(running, limits: limits)
            if statement.isDue(at: .now) {
                let finding = await look.find(session, of: configuration)
                if canceller.running?.ticket == running.ticket {
                    take(statement.next(after: finding, at: .now), running)
                }
            }
            watched = statement
        }
    }

    private func poll(every pause: Duration, _ body: (RunningStatement) async -> Void) async {
        while (try? await Task.sleep(for: max(pause, .milliseconds(5)))) != nil {
            if let running = canceller.running { await body(running) }
        }
    }

    private func take(_ step: WatchedStatement.Step, _ running: RunningStatement) {
        switch step {
        case .wait(let reason):
            logger.notice("\(running.name) has had no answer since \(since(running)): \(reason)")
        case .reconnect(let reason):
            canceller.cut(running.ticket, because: error(.connectionLost, of: running, reason))
        case .giveUp(let reason):
            canceller.giveUp(running.ticket, because: error(.blocked, of: running, reason))
        }
    }

    private func error(_ code: PostgresError.Code, of running: RunningStatement, _ reason: String) -> PostgresError {
        PostgresError(code, "no answer since \(since(running)): \(reason)", statement: running.name)
    }

    private func since(_ running: RunningStatement) -> String {
        let waited = ContinuousClock.now - running.started
        let micros = Int64((Date().timeIntervalSince1970 - Double(waited.components.seconds)) * 1_000_000)
        return InstantText.format(micros: micros / 1_000_000 * 1_000_000).prefix(19).replacing(" ", with: "T") + "Z"
    }
}
