// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs an actor's jobs on a queue of its own, so that waiting for the disk never holds a thread of Swift's cooperative
/// pool.
final class FileExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "subledger.reports")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
