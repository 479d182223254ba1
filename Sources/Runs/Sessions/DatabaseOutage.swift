// SPDX-License-Identifier: Apache-2.0

/// The time from the first lost session until the server answers again, for all sessions of a job.
///
/// Pure.
struct DatabaseOutage {
    let began: ContinuousClock.Instant

    /// The server was waited for long enough.
    func isOver(_ patience: Duration, at now: ContinuousClock.Instant) -> Bool { now >= began + patience }

    /// How long it has lasted, in whole seconds.
    func seconds(until now: ContinuousClock.Instant) -> Int64 { (now - began).components.seconds }
}
