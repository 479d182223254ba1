// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Stores

/// Asks a store about the due subscriptions of one chunk, many at a time.
///
/// One failure that stops the app (a wrong key, a store that is down, an interruption) cancels what is still under way;
/// every other failure is an outcome of its own and leaves its neighbours alone.
package struct FetchStage: Sendable {
    private let store: any Store
    private let conversation: Conversation
    private let maxInFlight: Int
    private let logger: Logger

    /// - Parameter maxInFlight: inquiries under way at once; one may need several requests, one after the other.
    package init(store: any Store, conversation: Conversation, maxInFlight: Int, logger: Logger) {
        self.store = store
        self.conversation = conversation
        self.maxInFlight = max(maxInFlight, 1)
        self.logger = logger
    }

    /// Asks about all of them. Never throws: what went wrong is part of the result.
    package func fetch(_ due: [DueSubscription]) async -> FetchedChunk {
        let inquiries = store.inquiries(for: due)
        var gathered = Gathered(count: inquiries.count)
        await withTaskGroup(of: Asked.self) { group in
            var next = 0
            while next < min(maxInFlight, inquiries.count) {
                ask(inquiries[next], at: next, in: &group)
                next += 1
            }
            for await asked in group {
                gathered.take(FetchOutcome(inquiry: inquiries[asked.index], result: asked.result), at: asked.index)
                if gathered.stopped != nil {
                    group.cancelAll()
                } else if next < inquiries.count {
                    ask(inquiries[next], at: next, in: &group)
                    next += 1
                }
            }
        }
        if gathered.stopped == nil { await complete(&gathered) }
        report(gathered, asked: inquiries.count)
        return FetchedChunk(outcomes: gathered.outcomes, stopped: gathered.stopped)
    }

    private func ask(_ inquiry: Inquiry, at index: Int, in group: inout TaskGroup<Asked>) {
        group.addTask { [store, conversation] in
            do throws(StoreFailure) {
                try conversation.checkTime()
                return Asked(index: index, result: .success(try await store.ask(inquiry, through: conversation)))
            } catch {
                return Asked(index: index, result: .failure(error))
            }
        }
    }

    /// What the store is asked for many answers at once.
    private func complete(_ gathered: inout Gathered) async {
        do throws(StoreFailure) {
            gathered.take(completed: try await store.complete(gathered.answers, through: conversation))
        } catch {
            gathered.stop(because: error)
        }
    }

    private func report(_ gathered: Gathered, asked: Int) {
        guard let stopped = gathered.stopped else { return }
        logger.error(
            "the app stops: \(stopped)",
            metadata: [
                "app": "\(store.appID)", "reason": "\(stopped.reason)",
                "left": "\(asked - gathered.outcomes.count)",
            ])
    }
}

/// One inquiry's result and its place. A struct: Swift 6.3.1 with optimisation mis-builds a task-group closure that returns
/// a tuple with a `Result` out of a `do`/`catch`.
private struct Asked {
    let index: Int
    let result: Result<StoreAnswer, StoreFailure>
}

/// Outcomes as they come in, and the first failure that stopped the app.
private struct Gathered {
    private var slots: [FetchOutcome?]
    private(set) var stopped: StoreFailure?

    init(count: Int) { slots = Array(repeating: nil, count: count) }

    var outcomes: [FetchOutcome] { slots.compactMap(\.self) }

    /// Those that were answered, in the order of the inquiries.
    var answers: [StoreAnswer] { slots.compactMap { try? $0?.result.get() } }

    /// In the order of `answers`.
    mutating func take(completed: [Result<StoreAnswer, StoreFailure>]) {
        var next = completed.makeIterator()
        for (index, slot) in slots.enumerated() {
            guard let slot, case .success = slot.result, let result = next.next() else { continue }
            slots[index] = FetchOutcome(inquiry: slot.inquiry, result: result)
        }
    }

    /// Half an answer is none: without what completes it, it is asked again.
    mutating func stop(because failure: StoreFailure) {
        stopped = failure
        for (index, slot) in slots.enumerated() {
            if let slot, case .success = slot.result { slots[index] = nil }
        }
    }

    /// What stops the app is no outcome of its inquiry, and a cancellation that follows it does not replace it.
    mutating func take(_ outcome: FetchOutcome, at index: Int) {
        if case .failure(let failure) = outcome.result, failure.stopsApp {
            if stopped == nil || stopped?.kind == .cancelled { stopped = failure }
        } else {
            slots[index] = outcome
        }
    }
}
