// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs an actor's jobs on a queue of its own, so that calls which block (libpq, processes, file locks) never hold a
/// thread of Swift's cooperative pool. The actor's isolation is then libpq's rule "one thread at a time per
/// connection".
final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
