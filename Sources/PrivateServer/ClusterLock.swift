// SPDX-License-Identifier: Apache-2.0

import Glibc
import Postgres

/// Held while a private cluster is located, made, started or stopped, so that two processes do not do it at once.
///
/// The system lets go of it when the process ends, however it ends.
@safe struct ClusterLock: ~Copyable {
    private let descriptor: Int32

    /// Waits for the lock on that file, making it if need be.
    ///
    /// No child inherits it.
    ///
    /// It asks again and again: `flock` that waits would block the thread that another task of this process may need to
    /// release it.
    static func acquire(_ path: String) async throws(PostgresError) -> ClusterLock {
        let lock = try ClusterLock(opening: path)
        while flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR || errno == EWOULDBLOCK else { throw ServerFiles.failure("cannot lock \(path)") }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return lock
    }

    private init(opening path: String) throws(PostgresError) {
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ServerFiles.failure("cannot open \(path)") }
    }

    deinit { close(descriptor) }
}
