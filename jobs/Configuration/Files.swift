// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model

/// The files a configuration names: where they are, and whether others may read them.
struct Files {
    /// The configuration file's folder: relative paths start here.
    let base: String
    /// Mounts whose file modes are not ours to set, the systemd credentials directory included; real paths.
    var trusted: [String]
    /// False for a job that needs none of them: their contents are empty then.
    var areRead = true
    /// The section of the app that they are of: one that cannot be used stops that app, and its contents are empty; nil: of no app.
    var app: String?

    /// Why a file cannot be used, after its path.
    struct Refusal: Error {
        let problem: String
    }

    /// The largest file that can be a key, a certificate or a list.
    private static let largest = 1_048_576

    func absolute(_ path: String) -> String {
        let whole = path.hasPrefix("/") ? path : base + "/" + path
        return URL(fileURLWithPath: whole).standardizedFileURL.path
    }

    /// The bytes of a file that need not be private.
    func read(_ path: String) throws(Refusal) -> [UInt8] {
        guard areRead else { return [] }
        // No key begins with a mark.
        return Array(try contents(path).withoutByteOrderMark)
    }

    private func contents(_ path: String) throws(Refusal) -> [UInt8] {
        let real = URL(fileURLWithPath: absolute(path)).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: real)
        guard let attributes else { throw Refusal(problem: "is not there") }
        guard attributes[.type] as? FileAttributeType == .typeRegular else { throw Refusal(problem: "is no file") }
        let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
        guard size > 0 else { throw Refusal(problem: "is empty") }
        guard size <= Self.largest else { throw Refusal(problem: "is larger than a megabyte") }
        guard let contents = KeyText.read(real, upTo: size) else {
            throw Refusal(problem: "cannot be read by this account")
        }
        return contents
    }

    /// The text of a key file, which only its owner may read, without the line break at its end.
    ///
    /// What was read is overwritten.
    func readSecret(_ path: String) throws(Refusal) -> Secret {
        guard areRead else { return Secret("") }
        var bytes = try contents(path)
        defer { bytes.wipe() }
        let real = URL(fileURLWithPath: absolute(path)).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: real)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
        guard mode & 0o077 == 0 || isTrusted(real) else {
            throw Refusal(
                problem: "can be read by others (mode \(String(mode & 0o7777, radix: 8))); run chmod 600 on it")
        }
        return try KeyText.secret(in: bytes.span)
    }

    private func isTrusted(_ real: String) -> Bool { trusted.contains { real.hasPrefix($0 + "/") } }
}
