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
    private let followed = Mutex(0)

    init(_ deadline: ContinuousClock.Instant?, of apps: [StoreApp]) {
        self.apps = apps
        self.deadline = Mutex(deadline)
        if let deadline { for app in apps { app.client.finish(by: deadline) } }
    }

    /// No chunk is started any more; those under way are brought to their end.
    var isOver: Bool { deadline.withLock { $0.map { .now >= $0 } ?? false } }

    /// Which of its times it is, from zero on: what was out of one may have time by the next.
    var number: Int { followed.withLock(\.self) }

    /// Another leader has a time of its own: true where this is a new one.
    func follow(_ night: NightState) -> Bool {
        guard let left = night.timeLeft else { return false }
        let stated = ContinuousClock.now + left
        let isNew = deadline.withLock { deadline in
            if let known = deadline, abs(known, stated) < Self.tolerance { return false }
            deadline = stated
            return true
        }
        guard isNew else { return false }
        for app in apps { app.client.finish(by: stated) }
        // Who reads the new number asks by the new time.
        followed.withLock { $0 += 1 }
        return true
    }

    private func abs(_ one: ContinuousClock.Instant, _ other: ContinuousClock.Instant) -> Duration {
        one < other ? one.duration(to: other) : other.duration(to: one)
    }
}
