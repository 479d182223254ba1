// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the file system says about a path, without following a symbolic link at its end.
@safe struct FileStatus {
    let owner: uid_t
    let permissions: mode_t
    let isDirectory: Bool

    /// Nil if there is nothing, or it cannot be seen.
    init?(_ path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        owner = status.st_uid
        permissions = status.st_mode & 0o7777
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
    }
}
