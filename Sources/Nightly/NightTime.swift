// SPDX-License-Identifier: Apache-2.0

import Runs
import Stores
import Synchronization

/// How long a night may ask: as long as its present leader may, counted from that one's start.
final class NightTime: Sendable {
    /// Two clocks that agree differ by the time that an answer of the database takes.
    private static let tolerance = Duration.milliseconds(500)

    private let apps: [StoreApp]
    private let deadline: Mutex<ContinuousClock.Instant?>

    init(_ deadline: ContinuousClock.Instant?, of apps: [StoreApp]) {
        self.apps = apps
        self.deadline = Mutex(deadline)
        if let deadline { for app in apps { app.client.finish(by: deadline) } }
    }

    /// No chunk is started any more; those under way are brought to their end.
    var isOver: Bool { deadline.withLock { $0.map { .now >= $0 } ?? false } }

    /// Another leader has a time of its own.
    func follow(_ night: NightState) {
        guard let left = night.timeLeft else { return }
        let stated = ContinuousClock.now + left
        let isNew = deadline.withLock { deadline in
            if let known = deadline, abs(known, stated) < Self.tolerance { return false }
            deadline = stated
            return true
        }
        if isNew { for app in apps { app.client.finish(by: stated) } }
    }

    private func abs(_ one: ContinuousClock.Instant, _ other: ContinuousClock.Instant) -> Duration {
        one < other ? one.duration(to: other) : other.duration(to: one)
    }
}
