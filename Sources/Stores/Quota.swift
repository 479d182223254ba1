// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One quota of a store, and who draws on it: an app at the App Store, a Cloud project at Google Play. The clients of
/// apps that share one pace each endpoint together.
package final class Quota: Sendable {
    private let pace: Pace
    private let pacers = Mutex<[Endpoint: Pacer]>([:])
    private let origin = ContinuousClock.now

    /// - Parameter pace: the share of the store's published rates that this program takes.
    package init(_ pace: Pace) { self.pace = pace }

    /// Monotonic nanoseconds. They do not begin at 0, so that an endpoint's first burst has a past to draw on.
    var now: UInt64 { reading(at: .now) }

    func reading(at instant: ContinuousClock.Instant) -> UInt64 {
        origin.duration(to: instant).nanoseconds + 3_600_000_000_000
    }

    /// Changes the pacer of an endpoint, which is made when it is first asked.
    func withPacer<Result>(of endpoint: Endpoint, _ body: (inout Pacer) -> Result) -> Result {
        pacers.withLock { pacers in
            body(
                &pacers[
                    endpoint,
                    default: Pacer(requestsPerSecond: pace.rate(of: endpoint), burst: pace.burst(of: endpoint))])
        }
    }
}
