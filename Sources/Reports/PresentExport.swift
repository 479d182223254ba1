// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What is in the place of an export.
struct PresentExport {
    let folder: String

    /// Why it must stay; nil where it is the same export, and all of it is as it was written.
    func obstacle(to next: Manifest) -> String? {
        guard let manifest = Manifest.read(in: folder), manifest.isExport else { return "is no export" }
        guard manifest.stamp.isOfSameDays(as: next.stamp), Set(manifest.files.keys) == Set(next.files.keys) else {
            return "is an export of other days, or with other files"
        }
        let foreign = files.first { file in
            guard file != Manifest.fileName else { return false }
            let found = try? WrittenFile.describe("\(folder)/\(file)").sha256
            return found == nil || found != manifest.files[file]?.sha256
        }
        return foreign.map { "\($0) in it is not what was written there" }
    }

    private var files: [String] {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return all.filter { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
            return attributes?[.type] as? FileAttributeType != .typeDirectory
        }.sorted()
    }
}

extension Manifest.Stamp {
    fileprivate func isOfSameDays(as other: Self) -> Bool {
        seal == other.seal && firstDate == other.firstDate && lastDate == other.lastDate && timeZone == other.timeZone
    }
}
