// SPDX-License-Identifier: Apache-2.0

/// Lives decided up front are written for a span of time.
package struct LifeSpan: Hashable, Sendable {
    /// The first night that looks at them.
    package var firstNight: Int64
    /// No period begins after it.
    package var horizon: Int64

    /// First purchases go on until seven weeks before the horizon, so that something follows them.
    var lastStart: Int64 { max(50, (horizon - firstNight) / CivilTime.day - 50) }

    /// The instant in daylight, so many days from the first night: nothing happens while the nightly job runs.
    func daylight(_ days: Int64, _ timeOfDay: Int64) -> Int64 {
        CivilTime.dayNumber(of: firstNight) * CivilTime.day + days * CivilTime.day + timeOfDay
    }

    /// A time of day in daylight.
    static func timeOfDay(_ random: inout SeededGenerator) -> Int64 {
        random.duration(from: 4 * CivilTime.hour, to: 23 * CivilTime.hour)
    }
}
