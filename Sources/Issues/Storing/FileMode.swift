// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Who may read the files of reports: the mode of a file, from which that of a folder follows.
package struct FileMode: Hashable, Sendable {
    /// Owner and group alone: figures of a company are not for every account of a machine.
    package static let usual = FileMode(file: 0o640)

    package let file: Int

    private init(file: Int) { self.file = file }

    /// From an octal number such as `0640`; nil where its owner could not read and write, or others could write or execute.
    package init?(_ text: String) {
        guard (3...4).contains(text.count), let mode = Int(text, radix: 8), text.first != "+", text.first != "-",
            mode & 0o600 == 0o600, mode & ~0o664 == 0
        else { return nil }
        file = mode
    }

    /// Whoever may read a file may enter its folder.
    package var folder: Int { file | (file & 0o444) >> 2 }

    /// Gives it to a folder and all that is in it.
    func apply(to folder: String) throws {
        let manager = FileManager.default
        for name in try manager.subpathsOfDirectory(atPath: folder) {
            let path = "\(folder)/\(name)"
            let isFolder = try manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeDirectory
            try manager.setAttributes([.posixPermissions: isFolder ? self.folder : file], ofItemAtPath: path)
        }
        try manager.setAttributes([.posixPermissions: self.folder], ofItemAtPath: folder)
    }
}
