// SPDX-License-Identifier: Apache-2.0

/// The room on a disk, beside what a night may write there.
package struct DiskFacts: Sendable {
    /// What is there already says how much comes: an issue is written aside and renamed, a database's tables grow by what is new.
    package enum Use: Sendable {
        /// With the size of the newest issue.
        case reports(issue: Int64)
        /// With its size.
        case database(Int64)
    }

    /// Bytes that even a small first night may take.
    private static let least: Int64 = 256 << 20

    package var path: String
    package var use: Use
    package var free: Int64

    package init(path: String, use: Use, free: Int64) { (self.path, self.use, self.free) = (path, use, free) }

    private var needed: Int64 {
        switch use {
        case .reports(let issue): max(Self.least, 3 * issue)
        case .database(let size): max(Self.least, size / 5)
        }
    }

    private var what: String {
        switch use {
        case .reports: "reports"
        case .database: "the private database"
        }
    }

    var finding: Finding {
        let figures = "\(free.bytesInWords) are free for \(what) in \(path), a night may take \(needed.bytesInWords)"
        guard free < needed else { return .fine("disk", figures) }
        return .toDo("disk", "\(figures): make room, or move it to a larger disk")
    }
}
