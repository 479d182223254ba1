// SPDX-License-Identifier: Apache-2.0

import Model
import Nightly
import Synchronization

/// Shows how a night gets on: a bar that is drawn over on a terminal, one line a minute elsewhere.
final class ProgressDisplay: NightProgress {
    private struct Tally {
        var apps: [AppID: AppProgress] = [:]
        /// When the apps were asked, and reports began to be written.
        var reportsSince: ContinuousClock.Instant?
    }

    private let console: Console
    private let isDisplayed: Bool
    private let writesReports: Bool
    private let tally = Mutex(Tally())

    init(console: Console, isQuiet: Bool, writesReports: Bool) {
        self.console = console
        self.isDisplayed = !isQuiet
        self.writesReports = writesReports
    }

    func planned(app: AppID, due: Int) {
        tally.withLock { $0.apps[app] = AppProgress(due: due, startedAt: .now) }
    }

    func advanced(app: AppID, by count: Int) {
        tally.withLock { $0.apps[app]?.done += count }
    }

    func finished() {
        tally.withLock { $0.reportsSince = .now }
    }

    /// Runs the body and shows its progress meanwhile.
    func display<Result: Sendable>(while body: @Sendable () async throws -> Result) async throws -> Result {
        let ticker = Task { await tick() }
        do {
            let result = try await body()
            await end(ticker)
            return result
        } catch {
            await end(ticker)
            throw error
        }
    }

    /// No line is drawn once it has ended.
    private func end(_ ticker: Task<Void, Never>) async {
        ticker.cancel()
        await ticker.value
        if console.isTerminal { console.display(nil) }
    }

    private func tick() async {
        let interval = console.isTerminal ? Duration.milliseconds(200) : .seconds(60)
        while isDisplayed, (try? await Task.sleep(for: interval)) != nil {
            guard let line = line() else { continue }
            if console.isTerminal { console.display(line) } else { console.note(line) }
        }
    }

    private func line() -> String? {
        let (apps, reportsSince) = tally.withLock { ($0.apps, $0.reportsSince) }
        let width = console.isTerminal ? console.columns - 1 : nil
        if let reportsSince {
            return writesReports ? ProgressLine.reports(since: reportsSince, now: .now, width: width) : nil
        }
        return apps.isEmpty ? nil : ProgressLine(apps: apps, now: .now).text(width: width)
    }
}
