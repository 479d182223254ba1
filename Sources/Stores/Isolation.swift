// SPDX-License-Identifier: Apache-2.0

/// Distinguishes an outage of this host alone from one of the store: other hosts of the run get on with the app while this one has no
/// answer.
///
/// Pure; times are monotonic readings in nanoseconds.
package struct Isolation: Sendable {
    /// What others were answered before the outage may be loaded as late as this.
    private let settling: UInt64
    /// Who has loaded nothing for so long may wait as well.
    private let freshness: UInt64
    private var checks: Int?
    private var progressed: UInt64?

    package init(settling: Duration = .seconds(60), freshness: Duration = .seconds(120)) {
        self.settling = settling.nanoseconds
        self.freshness = freshness.nanoseconds
    }

    /// The other hosts have loaded so many checks of the app by now, all in all.
    ///
    /// The first number says nothing of when.
    package mutating func learn(checksOfOthers: Int, now: UInt64) {
        if let checks, checksOfOthers > checks { progressed = now }
        checks = max(checks ?? 0, checksOfOthers)
    }

    /// An outage that began at `since` is this host's own.
    package func isOwn(since: UInt64, now: UInt64) -> Bool {
        lastProgress(since: since).map { now < $0 + freshness } ?? false
    }

    /// When others got on last while an outage that began at `since` went on; nil where they have not.
    package func lastProgress(since: UInt64) -> UInt64? { progressed.flatMap { $0 >= since + settling ? $0 : nil } }
}
