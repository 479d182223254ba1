// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Stores

/// Asks a store about the due subscriptions of one chunk, many at a time.
///
/// One failure that stops the app (a wrong key, a store that is down, an interruption) cancels what is still under way;
/// every other failure is an outcome of its own and leaves its neighbours alone. What the night has no time for is left,
/// and what has started is brought to its end.
package struct FetchStage: Sendable {
    private let store: any Store
    private let client: ThrottledClient
    private let maxInFlight: Int
    private let byteLimit: Int
    private let share: MemoryBudget.Share?
    private let logger: Logger

    /// `maxInFlight`: inquiries under way at once; one may need several requests, one after the other.
    ///
    /// `byteLimit`: no inquiry begins while the answers, those in flight counted at the mean, would take more memory
    /// than this until they are loaded; when they do, no answer becomes long any more (`LongAnswers`). `share`: of the
    /// memory of all chunks under way: where that is used up, the same holds, but for the first inquiry.
    package init(
        store: any Store, client: ThrottledClient, maxInFlight: Int, byteLimit: Int = .max,
        share: MemoryBudget.Share? = nil, logger: Logger
    ) {
        self.store = store
        self.client = client
        self.maxInFlight = max(maxInFlight, 1)
        self.byteLimit = byteLimit
        self.share = share
        self.logger = logger
    }

    /// Asks about all of them and reads what is answered.
    ///
    /// Never throws: what went wrong is part of the result.
    package func fetch(_ due: [DueSubscription]) async -> FetchedChunk { await fetch(due) { $0 } }

    /// The same, and takes what became of each inquiry as soon as its answer is complete: histories are long, and what is
    /// made of an answer is a fraction of it.
    ///
    /// `byteSize`: the memory that what was taken needs, in bytes.
    package func fetch<Taken: Sendable>(
        _ due: [DueSubscription], taking take: @Sendable @escaping (FetchOutcome) -> Taken,
        byteSize: @Sendable @escaping (Taken) -> Int = { _ in 0 }
    ) async -> Fetched<Taken> {
        let inquiries = store.inquiries(for: due)
        let read: @Sendable (ReceivedAnswer) -> Taken = { [store] in take(FetchOutcome($0, readBy: store)) }
        guard let completing = store as? any CompletingStore else {
            return report(await gather(inquiries, taking: read, byteSize: byteSize), of: inquiries)
        }
        var gathered = await gather(inquiries, taking: { $0 }, byteSize: \.byteSize)
        if gathered.stopped == nil { await complete(&gathered, by: completing) }
        let fetched = report(gathered, of: inquiries)
        return Fetched(outcomes: fetched.outcomes.map(read), stopped: fetched.stopped, remaining: fetched.remaining)
    }

    private func gather<Taken: Sendable>(
        _ inquiries: [Inquiry], taking take: @Sendable @escaping (ReceivedAnswer) -> Taken,
        byteSize: @Sendable @escaping (Taken) -> Int
    ) async -> Gathered<Taken> {
        var gathered = Gathered<Taken>(count: inquiries.count)
        let long = LongAnswers()
        await withTaskGroup(of: Asked<Taken>.self) { group in
            while true {
                while mayBegin(gathered, of: inquiries.count) {
                    ask(inquiries[gathered.started], at: gathered.begin(), long.share(), taking: take, in: &group)
                }
                guard let asked = await group.next() else { break }
                gathered.take(asked, bytes: asked.taken.map(byteSize) ?? 0)
                share?.note(answers: gathered.bytes)
                if gathered.stopped != nil { group.cancelAll() }
                if !hasRoom(gathered) { long.close() }
            }
        }
        share?.close(count: gathered.outcomes.count)
        return gathered
    }

    private func mayBegin<Taken: Sendable>(_ gathered: Gathered<Taken>, of count: Int) -> Bool {
        gathered.stopped == nil && gathered.started < count && gathered.inFlight < maxInFlight
            && gathered.expectedBytes < byteLimit && (gathered.started == 0 || !isUsedUp)
    }

    /// An answer may become long: with nothing to load there would be no way on.
    private func hasRoom<Taken: Sendable>(_ gathered: Gathered<Taken>) -> Bool {
        gathered.bytes == 0 || (gathered.bytes < byteLimit && !isUsedUp)
    }

    private var isUsedUp: Bool { share?.isUsedUp ?? false }

    private func ask<Taken: Sendable>(
        _ inquiry: Inquiry, at index: Int, _ share: LongAnswers.Share,
        taking take: @Sendable @escaping (ReceivedAnswer) -> Taken, in group: inout TaskGroup<Asked<Taken>>
    ) {
        group.addTask { [store, client] in
            defer { share.release() }
            let result = await LongAnswers.$share.withValue(share) {
                do throws(StoreFailure) {
                    try client.checkTime()
                    return ReceivedAnswer(
                        inquiry: inquiry, result: .success(try await store.ask(inquiry, through: client)))
                } catch {
                    return ReceivedAnswer(inquiry: inquiry, result: .failure(error))
                }
            }
            guard case .failure(let failure) = result.result else { return Asked(index: index, taken: take(result)) }
            if failure.stopsApp { return Asked(index: index, stop: failure) }
            return failure.cause == .noRoom ? Asked(index: index) : Asked(index: index, taken: take(result))
        }
    }

    /// What the store is asked for many answers at once.
    private func complete(_ gathered: inout Gathered<ReceivedAnswer>, by store: any CompletingStore) async {
        do throws(StoreFailure) {
            gathered.take(completed: try await store.complete(gathered.answers, through: client))
        } catch {
            gathered.stop(because: error)
        }
    }

    private func report<Taken: Sendable>(_ gathered: Gathered<Taken>, of inquiries: [Inquiry]) -> Fetched<Taken> {
        let left = gathered.slots.indices.filter { gathered.slots[$0] == nil }.map { inquiries[$0] }
        let stopped = gathered.stopped ?? gathered.late
        let fetched = Fetched(outcomes: gathered.outcomes, stopped: stopped, remaining: left)
        // Who interrupted it says why: a signal, or another process that leads the run by now.
        // A host that leaves an app to others has said so.
        guard let stopped, stopped.kind != .cancelled, stopped.cause != .isolated else { return fetched }
        logger.error(
            "\(stopped.sentence(stopping: store.appID))",
            metadata: [
                "app": "\(store.appID)", "reason": "\(stopped.reason)",
                "left": "\(inquiries.count - fetched.outcomes.count)",
            ])
        return fetched
    }
}

/// What came of one inquiry and its place.
///
/// A struct: Swift 6.3.1 with optimisation mis-builds a task-group closure that returns a tuple with a `Result` out of
/// a `do`/`catch`.
private struct Asked<Taken: Sendable>: Sendable {
    let index: Int
    /// Nil where it was given up.
    var taken: Taken?
    /// What stops the app is no outcome of its inquiry.
    var stop: StoreFailure?
}

/// What was taken, as it comes in, and the first failure that stopped the app.
private struct Gathered<Taken: Sendable> {
    fileprivate var slots: [Taken?]
    /// How many were asked, from the first one on.
    private(set) var started = 0
    private var ended = 0
    /// The memory that those need which have ended.
    private(set) var bytes = 0
    fileprivate(set) var stopped: StoreFailure?
    /// Why some were left for another night: it stops none that has started.
    private(set) var late: StoreFailure?

    init(count: Int) { slots = Array(repeating: nil, count: count) }

    var outcomes: [Taken] { slots.compactMap(\.self) }

    var inFlight: Int { started - ended }

    /// The memory that all need which have started, if the others are like those that have ended.
    var expectedBytes: Int { ended == 0 ? 0 : bytes / ended * started }

    /// The next one's place.
    mutating func begin() -> Int {
        defer { started += 1 }
        return started
    }

    /// A cancellation that follows what stopped the app does not replace it.
    mutating func take(_ asked: Asked<Taken>, bytes: Int) {
        slots[asked.index] = asked.taken
        ended += 1
        self.bytes += bytes
        guard let stop = asked.stop else { return }
        if stop.cause == .outOfTime {
            late = stop
        } else if stopped == nil || stopped?.kind == .cancelled {
            stopped = stop
        }
    }
}

extension Gathered<ReceivedAnswer> {
    /// Those that were answered, in the order of the inquiries.
    var answers: [StoreAnswer] { slots.compactMap { try? $0?.result.get() } }

    /// In the order of `answers`.
    mutating func take(completed: [Result<StoreAnswer, StoreFailure>]) {
        var next = completed.makeIterator()
        for (index, slot) in slots.enumerated() {
            guard let slot, case .success = slot.result, let result = next.next() else { continue }
            slots[index] = ReceivedAnswer(inquiry: slot.inquiry, result: result)
        }
    }

    /// Half an answer is none: without what completes it, it is asked again.
    mutating func stop(because failure: StoreFailure) {
        stopped = failure
        for (index, slot) in slots.enumerated() {
            if let slot, case .success = slot.result { slots[index] = nil }
        }
    }
}
