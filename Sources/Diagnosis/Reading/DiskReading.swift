// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

extension DiskFacts {
    /// The room where a folder is, or will be; nil where the system does not say.
    package static func read(_ use: Use, at path: String) -> DiskFacts? {
        let folder = FileManager.default.fileExists(atPath: path) ? path : FolderFacts.nearestFolder(above: path)
        var disk = statvfs()
        guard unsafe statvfs(folder, &disk) == 0 else { return nil }
        let free = UInt64(disk.f_bavail).multipliedReportingOverflow(by: UInt64(disk.f_frsize))
        return DiskFacts(path: path, use: use, free: free.overflow ? .max : Int64(clamping: free.partialValue))
    }

    /// The bytes of the newest issue below that folder; 0 where there is none.
    package static func newestIssue(below reports: String) -> Int64 {
        let latest = URL(fileURLWithPath: reports + "/latest").resolvingSymlinksInPath()
        let files = (try? FileManager.default.contentsOfDirectory(atPath: latest.path)) ?? []
        return files.reduce(0) { sum, name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(latest.path)/\(name)")
            return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
        }
    }
}
