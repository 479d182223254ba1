// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model

/// The day that Google counts its daily limits by: it begins at midnight in California.
enum QuotaDay {
    /// What is left of it at that instant: an hour and a day at most.
    static func rest(at now: Instant) -> Duration {
        var calendar = Calendar(identifier: .gregorian)
        // Every system knows the zone; without it, a day is waited for.
        guard let zone = TimeZone(identifier: "America/Los_Angeles") else { return .seconds(86_400) }
        calendar.timeZone = zone
        let date = Date(timeIntervalSince1970: TimeInterval(now.milliseconds / 1_000))
        let today = calendar.startOfDay(for: date)
        guard let tomorrow = calendar.date(byAdding: .day, value: 1, to: today) else { return .seconds(86_400) }
        return .seconds(Int64(tomorrow.timeIntervalSince(date)))
    }
}
