// SPDX-License-Identifier: Apache-2.0

/// Settings that would take away what the program promises, as they are in force for its role, and what somebody has set for
/// the role or the database.
package struct SettingFacts: Sendable {
    package var isSynchronized: Bool
    package var writesFullPages: Bool
    package var synchronousCommit: String
    package var replicationRole: String
    /// Names only: a value may be anything.
    package var ofRoleAndDatabase: [String]
    /// A trial's books may be lost.
    package var isTrial: Bool

    package init(
        isSynchronized: Bool = true, writesFullPages: Bool = true, synchronousCommit: String = "on",
        replicationRole: String = "origin", ofRoleAndDatabase: [String] = [],
        isTrial: Bool = false
    ) {
        (self.isSynchronized, self.writesFullPages) = (isSynchronized, writesFullPages)
        (self.synchronousCommit, self.replicationRole) = (synchronousCommit, replicationRole)
        (self.ofRoleAndDatabase, self.isTrial) = (ofRoleAndDatabase, isTrial)
    }

    var findings: [Finding] {
        let found = dangers.map { Finding.toDo("settings", $0) }
        return found.isEmpty ? [.fine("settings", remarks.joined(separator: "; "))] : found
    }

    private var dangers: [String] {
        var dangers: [String] = []
        if !isSynchronized, !isTrial {
            dangers.append("fsync is off: a crash of the server may destroy the books; set fsync = on and restart it")
        }
        if !writesFullPages, !isTrial {
            dangers.append(
                "full_page_writes is off: a crash of the server may destroy the books; set full_page_writes = on")
        }
        if replicationRole != "origin" {
            dangers.append(
                "session_replication_role is \(replicationRole): triggers that protect the books do not fire; reset it for the role "
                    + "and the database")
        }
        return dangers
    }

    private var remarks: [String] {
        let commit =
            !isSynchronized || !writesFullPages
            ? "a crash of the server may destroy the books, which a trial (clock: simulated) may risk"
            : synchronousCommit == "off"
                ? "synchronous_commit is off, which is yours to choose: a crash may take back a night whose report was issued"
                : "the server keeps what it confirmed (synchronous_commit \(synchronousCommit))"
        let others = Set(ofRoleAndDatabase).subtracting(["synchronous_commit"]).sorted()
        guard !others.isEmpty else { return [commit] }
        return [commit, "set for the role or database, without effect here: \(others.joined(separator: ", "))"]
    }
}
