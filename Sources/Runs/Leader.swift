// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The process that leads a run, as others see it: for people to find it.
///
/// Only its lease shows whether it lives, because the processes of another host or container are not visible.
package struct Leader: Sendable, Equatable {
    package let host: String
    package let processID: Int64

    package init(host: String, processID: Int64) {
        self.host = host
        self.processID = processID
    }

    /// This process.
    package static var current: Leader {
        Leader(
            host: ProcessInfo.processInfo.hostName, processID: Int64(ProcessInfo.processInfo.processIdentifier))
    }
}
