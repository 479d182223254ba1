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
        let counts = "\(Int64(done).grouped)/\(Int64(due).grouped)"
        return ([hasBar ? bar : nil, counts] + pace(at: now)).compactMap(\.self).joined(separator: " ")
    }

    private func pace(at now: ContinuousClock.Instant) -> [String?] {
        let elapsed = Double(startedAt.duration(to: now).components.seconds)
        guard elapsed >= 1, done > 0, done < due else { return [] }
        let rate = Double(done) / elapsed
        return [
            "\(Int64(rate.rounded()).grouped)/s", Self.remaining(seconds: Int64(Double(due - done) / rate)) + " left",
        ]
    }

    private static func remaining(seconds: Int64) -> String {
        if seconds < 90 { return "\(seconds) s" }
        return seconds < 5_400 ? "\(seconds / 60) min" : "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
    }
}
