// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs an actor's jobs one after the other on a queue of its own, so that calls which block (libpq, processes, file locks, the
/// disk) never occupy a thread of Swift's cooperative pool.
///
/// An actor that has it as its executor is isolated to one thread at a time, which is the rule of most C libraries, too.
package final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// - Parameter label: the queue's name, as debuggers list it.
    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs the job once those before it are done.
    ///
    /// It never fails and waits for nothing itself.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Stops the process where the caller is not run by this executor.
    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
