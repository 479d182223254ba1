// SPDX-License-Identifier: Apache-2.0

import Foundation
internal import Model

extension FolderFacts {
    /// What is to be found of a folder that jobs write in: only a file that is made and removed shows that it can be.
    package static func read(_ key: String, at path: String, account: String) -> FolderFacts {
        var facts = FolderFacts(key: key, path: path, state: .writable, account: account)
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            let parent = nearestFolder(above: path)
            facts.state = refusal(in: parent).map { .cannotBeMade(parent: parent, reason: $0) } ?? .canBeMade
            return facts
        }
        guard isFolder.boolValue else {
            facts.state = .isNoFolder
            return facts
        }
        if let reason = refusal(in: path) { facts.state = .notWritable(reason: reason) }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        facts.mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue
        return facts
    }

    /// The first folder above that is there.
    static func nearestFolder(above path: String) -> String {
        var url = URL(fileURLWithPath: path).deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: url.path), url.path != "/" { url.deleteLastPathComponent() }
        return url.path
    }

    /// Why nothing can be made in a folder, in the system's words; nil: it can.
    private static func refusal(in folder: String) -> String? {
        let trial = "\(folder)/.subledger-doctor-\(ProcessInfo.processInfo.processIdentifier)"
        do {
            try FileManager.default.createDirectory(atPath: trial, withIntermediateDirectories: false)
            try FileManager.default.removeItem(atPath: trial)
            return nil
        } catch {
            return SystemReason.of(error)
        }
    }
}
