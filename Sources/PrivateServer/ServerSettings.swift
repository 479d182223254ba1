// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a new private cluster is set to; its owner may change it in the cluster's own `postgresql.conf`.
struct ServerSettings {
    private static let megabyte: UInt64 = 1 << 20

    /// Bytes that the machine, or the group of processes that this one runs in, may use.
    let memory: UInt64
    let durability: PrivateCluster.Durability

    init(memory: UInt64, durability: PrivateCluster.Durability) {
        (self.memory, self.durability) = (memory, durability)
    }

    /// A container's limit counts where there is one: the machine around it has more than it may use.
    static func ofThisMachine(_ durability: PrivateCluster.Durability) -> ServerSettings {
        let limit = ServerFiles.text("/sys/fs/cgroup/memory.max")
            .flatMap { UInt64($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        let machine = ProcessInfo.processInfo.physicalMemory
        return ServerSettings(memory: min(limit ?? machine, machine), durability: durability)
    }

    /// Bytes: a sixteenth of the memory, but 128 to 512 megabytes.
    ///
    /// The server shares the machine with other work, and 512 hold the indexes of 200,000 subscriptions. One of tests
    /// is one of many and gets the least.
    var sharedBuffers: UInt64 {
        let least = 128 * Self.megabyte
        guard durability != .ephemeral else { return least }
        return min(max(memory / 16, least), 512 * Self.megabyte)
    }

    /// Lines of `postgresql.conf`.
    var lines: [String] {
        let modest = [
            "shared_buffers = \(sharedBuffers / Self.megabyte)MB", "log_checkpoints = off", "max_wal_size = 1GB",
        ]
        let unsafeForTests = ["fsync = off", "synchronous_commit = off", "full_page_writes = off"]
        return modest + (durability == .ephemeral ? unsafeForTests : [])
    }
}
