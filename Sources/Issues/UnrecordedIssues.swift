// SPDX-License-Identifier: Apache-2.0

/// Issues in the reports' folder that were made from seals of which the database knows nothing: their commits were lost, with a server
/// whose place a standby took, or after the backup that was restored.
///
/// They are named and left as they are; no other run gets one of their seals, and no other issue one of their names.
package struct UnrecordedIssues: Sendable {
    /// What the manifest says.
    struct Issue: Hashable, Sendable {
        /// Of its folder, below the reports'.
        let name: String
        let seal: Int64
        let runID: Int64
        let asOf: String
    }

    /// So many are named; of the others it is said how many they are.
    private static let namedAtMost = 5

    let issues: [Issue]
    let directory: String
    /// A sentence for everything that could not be read.
    package let findings: [String]

    var names: Set<String> { Set(issues.map(\.name)) }

    /// Zero where there is none.
    package var highestSeal: Int64 { issues.map(\.seal).max() ?? 0 }

    /// Names them, and says what to do; nil where there is none.
    package var sentence: String? {
        guard !issues.isEmpty else { return nil }
        let named = issues.prefix(Self.namedAtMost).map { "\($0.name) (seal \($0.seal))" }
        let others = issues.count - named.count
        let list = named.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
        return
            "of what is in \(directory) this database has no record: \(list). It was issued before a standby that lagged behind took "
            + "the server's place, or a backup was restored; or another database issued it. It stays as it is, and what is issued now gets another name and "
            + "another seal: compare the two, then move it out of the folder"
    }
}
