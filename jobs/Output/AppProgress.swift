// SPDX-License-Identifier: Apache-2.0

/// How far an app's part of a night is.
struct AppProgress: Sendable {
    private static let barWidth = 20

    let due: Int
    var done = 0
    private let startedAt: ContinuousClock.Instant

    init(due: Int, startedAt: ContinuousClock.Instant) {
        self.due = due
        self.startedAt = startedAt
    }

    /// `[#####---------------] 2,500/10,000 310/s 24 s left`.
    func text(at now: ContinuousClock.Instant, hasBar: Bool) -> String {
        let filled = due > 0 ? min(done, due) * Self.barWidth / due : Self.barWidth
        let bar =
            "[" + String(repeating: "#", count: filled)
            + String(repeating: "-", count: Self.barWidth - filled) + "]"
        return ([hasBar ? bar : nil, counts] + pace(at: now)).compactMap(\.self).joined(separator: " ")
    }

    /// `2,500/10,000`.
    var counts: String { "\(Int64(done).grouped)/\(Int64(due).grouped)" }

    /// Of both together, since the earlier one began.
    func adding(_ other: AppProgress) -> AppProgress {
        var sum = AppProgress(due: due + other.due, startedAt: min(startedAt, other.startedAt))
        sum.done = done + other.done
        return sum
    }

    private func pace(at now: ContinuousClock.Instant) -> [String?] {
        let elapsed = Double(startedAt.duration(to: now).components.seconds)
        guard elapsed >= 1, done > 0, done < due else { return [] }
        let rate = Double(done) / elapsed
        return [
            "\(Int64(rate.rounded()).grouped)/s", Self.time(seconds: Int64(Double(due - done) / rate)) + " left",
        ]
    }

    /// `24 s`, `12 min`, `2 h 5 min`.
    static func time(seconds: Int64) -> String {
        if seconds < 90 { return "\(seconds) s" }
        return seconds < 5_400 ? "\(seconds / 60) min" : "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
    }
}
