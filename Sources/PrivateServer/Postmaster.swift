// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Postgres

/// What `postmaster.pid` in a cluster says, held against the processes there are.
@safe struct Postmaster: Sendable, Equatable {
    /// The server's process.
    let processID: pid_t
    /// Where its socket is.
    let socketDirectory: String

    /// The server that runs on the cluster, nil if none does.
    ///
    /// A server that was killed leaves its file behind, and its number may since have gone to another process; a
    /// postmaster is recognised by its working directory, which is always the cluster.
    init?(runningOn cluster: String) {
        guard let lines = Self.lines(cluster), let processID = lines.first.flatMap({ pid_t($0) }),
            Self.workingDirectory(processID) == cluster
        else { return nil }
        self.processID = processID
        self.socketDirectory = lines.count > 4 ? lines[4] : ""
    }

    /// Removes the file of a dead server if its process number now belongs to a stranger, or to a corpse that no parent
    /// has collected (containers): PostgreSQL would take either for a server and refuse to start.
    ///
    /// A file whose process is gone PostgreSQL handles itself.
    static func removeMisleadingFile(_ cluster: String) throws(PostgresError) {
        guard let processID = lines(cluster)?.first.flatMap({ pid_t($0) }), kill(processID, 0) == 0 else { return }
        let isStranger = workingDirectory(processID).map { $0 != cluster } ?? isDead(processID)
        if isStranger { try ServerFiles.remove(cluster + "/postmaster.pid") }
    }

    /// True for a process that ended and waits to be collected by its parent.
    private static func isDead(_ processID: pid_t) -> Bool {
        let state = ServerFiles.text("/proc/\(processID)/stat")?.split(separator: ")").last?.first { $0 != " " }
        return state == "Z" || state == "X"
    }

    private static func lines(_ cluster: String) -> [String]? {
        ServerFiles.text(cluster + "/postmaster.pid")?.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func workingDirectory(_ processID: pid_t) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(processID)/cwd")
    }
}
