// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Held while a private cluster is located, made, started or stopped, so that two processes do not do it at once. The
/// system lets go of it when the process ends, however it ends. Taking it blocks.
@safe struct ClusterLock: ~Copyable {
    private let descriptor: Int32

    /// Waits for the lock on that file, making it if need be. No child inherits it.
    init(_ path: String) throws(PostgresError) {
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ServerFiles.failure("cannot open \(path)") }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw ServerFiles.failure("cannot lock \(path)") }
        }
    }

    deinit { close(descriptor) }
}
