// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One quota of a store, and who draws on it: an app at the App Store, a Cloud project at Google Play.
///
/// The clients of apps that share one pace each endpoint together; where its slices are leased, with all processes that
/// ask the store.
package final class Quota: Sendable {
    private struct State {
        var paces: [Endpoint: EndpointPace] = [:]
        var lastTicket: UInt64 = 0
        /// Says that a slice is wanted; nil where none is leased, and this process has the quota for itself.
        var demand: (@Sendable () -> Void)?
    }

    /// By which all processes know it, without any part of a credential.
    ///
    /// Nil: it is this process's alone.
    package let name: String?
    private let pace: Pace
    private let state = Mutex(State())
    private let origin = ContinuousClock.now

    /// `pace`: the share of the store's published rates that this program takes.
    package init(_ pace: Pace, name: String? = nil) {
        self.pace = pace
        self.name = name
    }

    /// Monotonic nanoseconds.
    ///
    /// They do not begin at 0, so that an endpoint's first burst has a past to draw on.
    var now: UInt64 { reading(at: .now) }

    func reading(at instant: ContinuousClock.Instant) -> UInt64 {
        origin.duration(to: instant).nanoseconds + 3_600_000_000_000
    }

    /// Changes the pacer of an endpoint, which is made when it is first asked.
    func withPacer<Result>(of endpoint: Endpoint, _ body: (inout Pacer) -> Result) -> Result {
        changing(endpoint) { pace, _ in body(&pace.pacer) }
    }

    /// The turn of a request, as soon as it is known: at once, where no slices are leased.
    ///
    /// `deadline`: what would leave then or later takes no slot and learns its wait at once.
    func turn(at endpoint: Endpoint, before deadline: UInt64?) async -> EndpointPace.Turn {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation {
                enqueue(EndpointPace.Waiter(ticket: ticket, deadline: deadline, continuation: $0), at: endpoint)
            }
        } onCancel: {
            let waiter = state.withLock { $0.paces[endpoint]?.withdraw(ticket) }
            waiter?.continuation.resume(returning: .cancelled)
        }
    }

    /// A cancellation that came before this point found no waiter to withdraw: `Task.isCancelled` shows it here.
    private func enqueue(_ waiter: EndpointPace.Waiter, at endpoint: Endpoint) {
        let at = now
        let turn = changing(endpoint) { pace, isLeased -> EndpointPace.Turn? in
            if Task.isCancelled { return .cancelled }
            guard isLeased else { return .wait(pace.pacer.takeSlot(now: at)) }
            if let turn = pace.turn(now: at, before: waiter.deadline) { return turn }
            pace.add(waiter)
            return nil
        }
        if let turn { return waiter.continuation.resume(returning: turn) }
        let demand = state.withLock { $0.demand }
        demand?()
    }

    /// Changes an endpoint's pace, and serves those whose turn is known by then.
    private func changing<Result>(
        _ endpoint: Endpoint, _ body: (inout EndpointPace, _ isLeased: Bool) -> Result
    ) -> Result {
        let at = now
        let (result, served) = state.withLock { state in
            let isLeased = state.demand != nil
            let new = EndpointPace(Pacer(requestsPerSecond: pace.rate(of: endpoint), burst: pace.burst(of: endpoint)))
            let result = body(&state.paces[endpoint, default: new], isLeased)
            return (result, state.paces[endpoint]?.serve(now: at) ?? [])
        }
        for (waiter, turn) in served { waiter.continuation.resume(returning: turn) }
        return result
    }
}

extension Quota {
    /// From now on its slices are leased; `demand` is called when one is wanted.
    func lease(_ demand: @escaping @Sendable () -> Void) { state.withLock { $0.demand = demand } }

    /// It is this process's alone again.
    func endLeasing() {
        state.withLock { $0.demand = nil }
        giveUp("the job ends")
    }

    /// The slices to be leased now.
    func wanted() -> [WantedSlice] {
        guard let name else { return [] }
        let at = now
        return state.withLock { state in
            state.paces.compactMap { endpoint, pace in
                let requests = pace.wanted(now: at)
                guard requests > 0 else { return nil }
                return WantedSlice(
                    quota: name, endpoint: endpoint.name, interval: pace.pacer.statedInterval, requests: requests,
                    allowance: pace.pacer.allowance)
            }
        }
    }

    /// Takes a slice that was leased just now; true where it is the first of a lower rate than ours.
    func add(_ slice: LeasedSlice) -> Bool {
        let endpoint = state.withLock { $0.paces.keys.first { $0.name == slice.endpoint } }
        guard let endpoint else { return false }
        let at = now
        return changing(endpoint) { pace, _ in pace.add(slice, now: at) }
    }

    /// Serves those who need wait no longer: their time is over, or there is a slot.
    func serve() {
        for endpoint in state.withLock({ Array($0.paces.keys) }) { changing(endpoint) { _, _ in } }
    }

    /// No slice can be leased: no request waits for one any more.
    func giveUp(_ reason: String) {
        let given = state.withLock { state in
            state.paces.keys.flatMap { state.paces[$0]?.giveUp(.unavailable(reason)) ?? [] }
        }
        for (waiter, turn) in given { waiter.continuation.resume(returning: turn) }
    }
}
