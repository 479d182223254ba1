// SPDX-License-Identifier: Apache-2.0

/// A folder that jobs write in.
package struct FolderFacts: Sendable {
    package enum State: Sendable, Hashable {
        case writable
        /// It is not there, and can be made.
        case canBeMade
        /// It is not there; `parent` is, and nothing can be made in it, in the system's words.
        case cannotBeMade(parent: String, reason: String)
        case notWritable(reason: String)
        /// Something else has its name.
        case isNoFolder
    }

    /// The key of the configuration, such as `reports.directory`.
    package var key: String
    package var path: String
    package var state: State
    /// Its permissions; nil where it is not there.
    package var mode: Int?
    /// Whose the jobs are.
    package var account: String

    package init(key: String, path: String, state: State, mode: Int? = nil, account: String) {
        (self.key, self.path, self.state, self.mode, self.account) = (key, path, state, mode, account)
    }

    var finding: Finding {
        let about = "folder \(key)"
        switch state {
        case .isNoFolder: return .toDo(about, "\(path) is no folder: name another one, or move the file away")
        case .notWritable(let reason):
            return .toDo(
                about,
                "\(path) cannot be written by account \(account) (\(reason)): chown \(account) \(path), or name another one"
            )
        case .cannotBeMade(let parent, let reason):
            return .toDo(
                about,
                "\(path) is not there, and account \(account) can make nothing in \(parent) (\(reason)): make it and chown it to "
                    + "\(account), or name another one")
        case .canBeMade: return .fine(about, "\(path) is not there yet; the first job makes it")
        case .writable: break
        }
        // A sticky bit lets others only add.
        guard let mode, mode & 0o002 != 0, mode & 0o1000 == 0 else {
            return .fine(about, "\(path) can be written by account \(account)")
        }
        return .toDo(
            about, "\(path) can be written by everybody (mode \(String(mode & 0o7777, radix: 8))): chmod o-w \(path)")
    }
}
