// SPDX-License-Identifier: Apache-2.0

/// The requests to one host: how many are in flight, and which wait their turn.
///
/// Waiting here rather than in libcurl keeps the time in the queue out of the limits, and keeps a host that does not
/// answer from taking the places of the others.
struct Lane {
    /// How many requests may be in flight.
    var capacity: Int

    private(set) var inFlight = 0
    private var waiting: [Exchange] = []
    private var head = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func enqueue(_ exchange: Exchange) {
        waiting.append(exchange)
    }

    /// Takes the next exchange if there is room for it in flight.
    mutating func next() -> Exchange? {
        guard inFlight < capacity, head < waiting.count else { return nil }
        let exchange = waiting[head]
        head += 1
        inFlight += 1
        if head == waiting.count || head >= 1_024 {
            waiting.removeFirst(head)
            head = 0
        }
        return exchange
    }

    /// Gives the place of a finished exchange back.
    mutating func release() {
        inFlight -= 1
    }

    /// Takes the waiting exchanges out that fulfil the condition.
    mutating func removeWaiting(where condition: (Exchange) -> Bool) -> [Exchange] {
        var remaining: [Exchange] = []
        var removed: [Exchange] = []
        for exchange in waiting[head...] {
            if condition(exchange) { removed.append(exchange) } else { remaining.append(exchange) }
        }
        waiting = remaining
        head = 0
        return removed
    }
}
