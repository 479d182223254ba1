// SPDX-License-Identifier: Apache-2.0

import Glibc

/// That a process works in a folder: the lock goes with its process, however that ends, and is seen from every
/// container that mounts the folder.
///
/// A process number is not: each container has numbers of its own.
final class FolderLock {
    private let descriptor: Int32

    /// Nil where there is no such folder, somebody else has it, or its file system knows no locks.
    init?(on folder: String, isShared: Bool) {
        let opened = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        guard flock(opened, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 else {
            // Before it is this object's: where its one property is set, `deinit` closes it as well.
            close(opened)
            return nil
        }
        descriptor = opened
    }

    deinit { close(descriptor) }
}
