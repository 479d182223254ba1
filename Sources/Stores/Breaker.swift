// SPDX-License-Identifier: Apache-2.0

/// Distinguishes an outage from single failures, and waits for a store that is down: after a run of failures no request
/// starts for a while, then a single one probes; as long as that fails the pauses grow.
///
/// An answer ends the outage; when the time that a run waits for its store is used up, over all its outages, the store
/// counts as down. Of an outage of this host alone nothing is used up. Pure; times are monotonic readings in nanoseconds.
package struct Breaker: Sendable {
    /// What follows from one more failure.
    package enum Consequence: Hashable, Sendable {
        case none
        /// No request starts before this instant.
        case pause(until: UInt64)
        case down
    }

    /// From the failure that began it on.
    private struct Outage {
        let since: UInt64
        var pause: UInt64
        var pausedUntil: UInt64
        var isProbed = false
    }

    /// How long those wait who come while a probe is under way, in nanoseconds.
    private static let probeWait: UInt64 = 20_000_000

    /// So many failures in a row may be chance; one more says something of the store.
    private static let few = 4

    private let threshold: Int
    private let firstPause: UInt64
    private let longestPause: UInt64
    private let patience: UInt64
    private var failuresInARow = 0
    private var outage: Outage?
    private var isolation: Isolation
    /// In outages that are over.
    private var waited: UInt64 = 0
    package private(set) var isDown = false

    /// `threshold`: failures in a row, without an answer in between, that are an outage.
    ///
    /// `patience`: how long the store is waited for, over all its outages.
    package init(
        threshold: Int = 20, firstPause: Duration = .seconds(5), longestPause: Duration = .seconds(60),
        patience: Duration, isolation: Isolation = Isolation()
    ) {
        self.threshold = max(threshold, 1)
        self.firstPause = max(firstPause.nanoseconds, 1)
        self.longestPause = max(longestPause.nanoseconds, 1)
        self.patience = patience.nanoseconds
        self.isolation = isolation
    }

    /// How long the store has been waited for, the outage at hand among it, in nanoseconds.
    package func waited(now: UInt64) -> UInt64 { waited + (outage.map { counted(since: $0.since, now) } ?? 0) }

    /// The run has waited so long for the store, all its processes together: those that wait at once wait the same time.
    package mutating func learn(waited nanoseconds: UInt64, now: UInt64) {
        let known = self.waited(now: now)
        if nanoseconds > known { waited += nanoseconds - known }
    }

    /// The store is waited for: failures say nothing about what was asked.
    package var isOpen: Bool { outage != nil }

    /// The run's other hosts have loaded so many checks of the app by now.
    ///
    /// Returns how long this host alone has had no answer, in nanoseconds; nil where that was known, or is not so.
    package mutating func learn(checksOfOthers: Int, now: UInt64) -> UInt64? {
        let wasKnown = isIsolated(now: now)
        isolation.learn(checksOfOthers: checksOfOthers, now: now)
        guard !wasKnown, isIsolated(now: now), let outage else { return nil }
        return elapsed(since: outage.since, now)
    }

    /// The outage at hand is of this host alone.
    package func isIsolated(now: UInt64) -> Bool { outage.map { isolation.isOwn(since: $0.since, now: now) } ?? false }

    /// It is not yet time to probe.
    package func isPaused(now: UInt64) -> Bool { outage.map { $0.pausedUntil > now } ?? false }

    /// Nanoseconds until a request may start; 0 is now.
    package func wait(now: UInt64) -> UInt64 {
        guard let outage else { return 0 }
        if outage.pausedUntil > now { return outage.pausedUntil - now }
        return outage.isProbed ? Self.probeWait : 0
    }

    /// A request starts, where none need wait: true where it is the probe.
    ///
    /// Nil where it waits after all: another one was faster.
    package mutating func start(now: UInt64) -> Bool? {
        guard wait(now: now) == 0 else { return nil }
        outage?.isProbed = true
        return isOpen
    }

    /// The probe came to its end, whatever it was.
    package mutating func endProbe() { outage?.isProbed = false }

    /// An answer came, whatever it says: the store is there.
    ///
    /// Returns how long it was not, in nanoseconds; nil where it was.
    package mutating func succeeded(now: UInt64) -> UInt64? {
        failuresInARow = 0
        guard let ended = outage else { return nil }
        waited += counted(since: ended.since, now)
        outage = nil
        return elapsed(since: ended.since, now)
    }

    /// A request that left at `startedAt` came to nothing.
    ///
    /// What had left before the last pause ended says nothing new.
    package mutating func failed(startedAt: UInt64, now: UInt64) -> Consequence {
        guard !isDown else { return .none }
        if let outage {
            return startedAt >= outage.pausedUntil ? pauseLonger(outage, now) : .none
        }
        failuresInARow += 1
        return failuresInARow >= threshold ? open(now: now) : .none
    }

    /// An outage begins, however few requests failed.
    package mutating func open(now: UInt64) -> Consequence {
        guard !isDown, outage == nil else { return .none }
        failuresInARow = 0
        return pause(Outage(since: now, pause: firstPause, pausedUntil: now), now)
    }

    /// Several requests failed, one after the other, since the last answer: too few by themselves for an outage.
    var isSuspect: Bool { failuresInARow > Self.few }

    /// Some of the time is left for which it is waited.
    package var isPatient: Bool { !isDown && waited < patience }

    private mutating func pauseLonger(_ outage: Outage, _ now: UInt64) -> Consequence {
        var longer = outage
        longer.pause = min(outage.pause * 2, longestPause)
        return pause(longer, now)
    }

    private mutating func pause(_ next: Outage, _ now: UInt64) -> Consequence {
        let used = waited + counted(since: next.since, now)
        guard used < patience else {
            isDown = true
            return .down
        }
        var paused = next
        paused.pausedUntil = now + min(next.pause, patience - used)
        paused.isProbed = false
        outage = paused
        return .pause(until: paused.pausedUntil)
    }

    /// How much of an outage that began at `since` is used up of the time for which the store is waited for.
    private func counted(since: UInt64, _ now: UInt64) -> UInt64 {
        isolation.isOwn(since: since, now: now) ? 0 : elapsed(since: isolation.lastProgress(since: since) ?? since, now)
    }

    private func elapsed(since: UInt64, _ now: UInt64) -> UInt64 { now > since ? now - since : 0 }
}

extension Duration {
    /// Whole nanoseconds, none for a negative length; bounded at some 290 years.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(min(seconds, 9_000_000_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
