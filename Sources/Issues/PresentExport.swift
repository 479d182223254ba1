// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What is in the place of an export.
struct PresentExport {
    let folder: String

    /// Why it must stay; nil where it is an export, and all of it is as it was written: the same statements make it again.
    var obstacle: String? {
        guard let manifest = Manifest.read(in: folder), manifest.isExport else { return "is no export" }
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
