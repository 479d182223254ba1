// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Model
import Runs

/// A job's use of the private PostgreSQL: as long as one lives, no other job stops the server under it.
///
/// A shared lock on a file, which the system lets go of however the process ends. A server that was started for a job
/// alone is marked so, and the last job that leaves stops it; one that `db start` started is left alone.
@safe struct PrivateServerUse: ~Copyable {
    private let descriptor: Int32
    private let mark: String

    /// Joins the users of the server in that folder, which is made if need be; waits while somebody stops it.
    static func join(folder: String) async throws -> PrivateServerUse {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw PipelineError(.failed, "the folder \(folder) cannot be made: \(SystemReason.of(error))")
        }
        let descriptor = unsafe open(folder + "/postgres.use", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PipelineError(.failed, "the folder \(folder) cannot be written") }
        let use = PrivateServerUse(descriptor: descriptor, mark: folder + "/postgres.started-by-a-job")
        while flock(descriptor, LOCK_SH | LOCK_NB) != 0 { try await Task.sleep(for: .milliseconds(50)) }
        return use
    }

    private init(descriptor: Int32, mark: String) {
        self.descriptor = descriptor
        self.mark = mark
    }

    deinit { close(descriptor) }

    /// Notes that the server was started for a job, so that the last one stops it.
    func markAsStartedByJob() { _ = FileManager.default.createFile(atPath: mark, contents: nil) }

    /// From now on the server stays until somebody stops it.
    func leaveRunning() { try? FileManager.default.removeItem(atPath: mark) }

    /// True if no other process uses the server; then none can begin to before this use ends.
    func isLast() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    var isStartedByJob: Bool { FileManager.default.fileExists(atPath: mark) }
}
