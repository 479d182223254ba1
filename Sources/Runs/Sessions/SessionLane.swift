// SPDX-License-Identifier: Apache-2.0

/// How many of one kind of sessions may be had at a time: so many as were given, fewer while the server has no more.
///
/// Pure.
struct SessionLane {
    /// How long a server that refused a further session is not asked for it again.
    static let narrowFor = Duration.seconds(60)

    let limit: Int
    /// Sessions that tasks have, those that are being opened among them.
    private(set) var taken = 0
    /// Sessions that exist, in use or idle.
    private(set) var open = 0
    private var narrowed: Narrowing?

    private struct Narrowing {
        let limit: Int
        let until: ContinuousClock.Instant
    }

    init(limit: Int) { self.limit = max(limit, 1) }

    /// Takes one, if one may be had.
    mutating func take(at now: ContinuousClock.Instant) -> Bool {
        if let narrowed, narrowed.until <= now { self.narrowed = nil }
        guard taken < narrowed?.limit ?? limit else { return false }
        taken += 1
        return true
    }

    mutating func giveBack() { taken -= 1 }

    mutating func opened() { open += 1 }

    mutating func closed() { open -= 1 }

    /// The server has no further session.
    ///
    /// False where there is none to wait for: only the server can give one.
    mutating func narrow(at now: ContinuousClock.Instant) -> Bool {
        guard open > 0 else { return false }
        narrowed = Narrowing(limit: open, until: now + Self.narrowFor)
        return true
    }
}
