// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The process that leads a run, as others see it.
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

    /// A process on this host that is no longer there is dead at once, whatever its lease says.
    package var isKnownToBeDead: Bool {
        guard host == Leader.current.host, let id = Int32(exactly: processID) else { return false }
        return kill(id, 0) != 0 && errno == ESRCH
    }
}
