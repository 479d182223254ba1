// SPDX-License-Identifier: Apache-2.0

import Model
import Nightly
import Synchronization

/// Shows how a night gets on: a bar that is drawn over on a terminal, one line a minute elsewhere.
final class ProgressDisplay: NightProgress {
    private struct Tally {
        var apps: [AppID: AppProgress] = [:]
        var isFinished = false
    }

    private let console: Console
    private let isDisplayed: Bool
    private let tally = Mutex(Tally())

    init(console: Console, isQuiet: Bool) {
        self.console = console
        self.isDisplayed = !isQuiet
    }

    func planned(app: AppID, due: Int) {
        tally.withLock { $0.apps[app] = AppProgress(due: due, startedAt: .now) }
    }

    func advanced(app: AppID, by count: Int) {
        tally.withLock { $0.apps[app]?.done += count }
    }

    func finished() {
        tally.withLock { $0.isFinished = true }
        if console.isTerminal { console.display(nil) }
    }

    /// Runs the body and shows its progress meanwhile.
    func display<Result: Sendable>(while body: @Sendable () async throws -> Result) async throws -> Result {
        let ticker = Task { await tick() }
        defer { ticker.cancel() }
        return try await body()
    }

    private func tick() async {
        let interval = console.isTerminal ? Duration.milliseconds(200) : .seconds(60)
        while isDisplayed, (try? await Task.sleep(for: interval)) != nil {
            guard let line = line() else { continue }
            if console.isTerminal { console.display(line) } else { console.log(line) }
        }
    }

    private func line() -> String? {
        let (apps, isFinished) = tally.withLock { ($0.apps, $0.isFinished) }
        guard !isFinished, !apps.isEmpty else { return nil }
        return apps.sorted { $0.key < $1.key }.map {
            "\($0.key) \($0.value.text(at: .now, hasBar: console.isTerminal))"
        }
        .joined(separator: "   ")
    }
}
