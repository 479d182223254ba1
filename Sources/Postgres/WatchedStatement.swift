// SPDX-License-Identifier: Apache-2.0

/// A statement that waits for its answer, and what is to be done about it.
struct WatchedStatement {
    /// What follows from a look.
    enum Step: Hashable {
        /// It waits on, with this line.
        case wait(String)
        /// Its connection is cut: another one has to be made.
        case reconnect(String)
        /// It is cancelled: others lock for too long.
        case giveUp(String)
    }

    let running: RunningStatement
    private let limits: WaitingLimits
    private var wait: ReportedWait
    /// When the server was last known to have this statement.
    private var lastKnown: ContinuousClock.Instant
    /// When it was last known to work on it.
    private var lastWork: ContinuousClock.Instant

    init(_ running: RunningStatement, limits: WaitingLimits) {
        self.running = running
        self.limits = limits
        wait = ReportedWait(limits, since: running.started)
        lastKnown = running.started
        lastWork = running.started
    }

    /// True when it is to be looked for.
    mutating func isDue(at now: ContinuousClock.Instant) -> Bool { wait.isDue(at: now) }

    /// What to do after a look.
    ///
    /// Without a sign of it on the server for the watchdog's time the connection is cut; one that others block for
    /// twice that time is given up, a COMMIT excepted.
    mutating func next(after finding: SessionFinding, at now: ContinuousClock.Instant) -> Step {
        switch finding {
        case .gone: return .reconnect("the server does not have its session any more")
        case .silent: return silent("the server waits for us: it or its answer was lost on the way", now)
        case .unreachable(let reason): return silent("the server cannot be asked: \(reason)", now)
        case .notAsked(let reason):
            lastKnown = now
            return .wait("the server is there, and cannot be asked: \(reason)")
        case .atWork(let work):
            (lastKnown, lastWork) = (now, now)
            return .wait("the server is at work (\(work))")
        case .blocked(let blockers):
            lastKnown = now
            let isOver = now - lastWork >= limits.watchdog * 2 && running.isCancellable
            return isOver ? .giveUp(blockers) : .wait(blockers)
        }
    }

    private func silent(_ reason: String, _ now: ContinuousClock.Instant) -> Step {
        now - lastKnown >= limits.watchdog ? .reconnect(reason) : .wait(reason)
    }
}
