// SPDX-License-Identifier: Apache-2.0

/// How reports lie on the disk: who may read them, and how long they stay.
package struct IssueStorage: Hashable, Sendable {
    package var mode = FileMode.usual
    /// Nil: nothing is ever taken away.
    package var retention: IssueRetention?

    package init(mode: FileMode = .usual, retention: IssueRetention? = nil) {
        self.mode = mode
        self.retention = retention
    }
}
