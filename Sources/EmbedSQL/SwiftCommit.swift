// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The commit that a build is made of, as a Swift constant.
///
/// It is read from git's own log of where HEAD has been, whose last line is where it is: no git is asked, and a copy without
/// one has no commit.
struct SwiftCommit {
    private let commit: String?

    /// - Parameter log: `logs/HEAD`; empty where there is none.
    init(log: String) {
        let lines = (try? String(contentsOfFile: log, encoding: .utf8))?.split(separator: "\n")
        let hash = lines?.last?.split(separator: " ").dropFirst().first
        commit = hash.flatMap { $0.count >= 40 && $0.allSatisfy(\.isHexDigit) ? String($0.prefix(12)) : nil }
    }

    var text: String {
        "/// What this build is made of.\nenum Commit {\n    static let name: String? = \(commit.map { "\"\($0)\"" } ?? "nil")\n}\n"
    }
}
