// SPDX-License-Identifier: Apache-2.0

import Model

/// The clock a job goes by.
///
/// What a run seals stays: after one whose clock lay years ahead, every later one would be refused.
enum LogicalClock {
    /// How far `--now` may lie after the wall clock.
    static let mayLieAhead = Span.hours(1)

    /// The instant that was given, else the wall clock.
    ///
    /// Throws where it lies in the future and the configuration does not say that its clock is simulated.
    static func now(given: Instant?, wall: Instant, isSimulated: Bool) throws(UsageError) -> Instant {
        guard let given else { return wall }
        guard isSimulated || given <= wall + mayLieAhead else {
            throw UsageError(
                "subledger: --now \(given.iso8601) lies in the future (it is \(wall.iso8601)), and no later run could begin "
                    + "before then: give an earlier instant, or `clock: simulated` in a configuration for trials")
        }
        return given
    }
}
