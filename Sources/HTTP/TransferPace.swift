// SPDX-License-Identifier: Apache-2.0

/// Decides whether an answer comes fast enough: the limits libcurl does not have in the form we need.
///
/// It has none for the first byte, and its low-speed limit would count the wait for the first byte too and cut it
/// short. Its limit for connecting starts again for each transfer that waits for another's connection, one after the
/// other. A value without a clock: the loop passes `now`.
struct TransferPace: Sendable {
    /// What is known of a transfer at one instant.
    struct Observation: Sendable {
        var phase: TransferPhase
        /// When the transfer started.
        var connectingSince: ContinuousClock.Instant
        /// When the request was handed to a ready connection.
        var waitingSince: ContinuousClock.Instant
        /// Header and body bytes so far.
        var received: Int
    }

    private var windowStart: ContinuousClock.Instant?
    private var receivedAtWindowStart = 0

    /// Returns the limit that is broken at `now`, or nil.
    ///
    /// `isHostConnected`: other requests are under way to the same host: one that is not waits for its turn on their
    /// connection, and not for the host.
    mutating func assess(
        _ observation: Observation, at now: ContinuousClock.Instant, limits: HTTPLimits, isHostConnected: Bool
    ) -> HTTPError.Code? {
        switch observation.phase {
        case .connecting:
            let isOver = !isHostConnected && now - observation.connectingSince >= limits.connect
            return isOver ? .connectTimedOut : nil
        case .waiting:
            return now - observation.waitingSince >= limits.firstByte ? .firstByteTimedOut : nil
        case .receiving:
            return isTooSlow(received: observation.received, at: now, limits: limits) ? .tooSlow : nil
        }
    }

    private mutating func isTooSlow(received: Int, at now: ContinuousClock.Instant, limits: HTTPLimits) -> Bool {
        guard let start = windowStart else {
            windowStart = now
            receivedAtWindowStart = received
            return false
        }
        guard now - start >= limits.lowSpeedTime else { return false }
        let required = limits.lowSpeedBytesPerSecond * limits.lowSpeedTime.milliseconds / 1_000
        let isTooSlow = received - receivedAtWindowStart < required
        windowStart = now
        receivedAtWindowStart = received
        return isTooSlow
    }
}
