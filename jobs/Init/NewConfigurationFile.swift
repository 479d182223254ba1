// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A configuration that is not there yet: it is read by the program's own reader before it has its name, and replaces none.
struct NewConfigurationFile {
    let path: String

    func refuseExisting() throws(UsageError) {
        var found = stat()
        // A link that leads nowhere is there, too.
        guard unsafe lstat(path, &found) != 0 else { throw existing }
    }

    /// Only its owner may read it: a database's URL may be a secret.
    func write(_ text: String) throws(UsageError) {
        let draft = "\(path).new-\(ProcessInfo.processInfo.processIdentifier)"
        defer { _ = unsafe unlink(draft) }
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw refusal() }
        defer { close(descriptor) }
        if let reason = SystemOutput(descriptor: descriptor).write(text) {
            throw UsageError("subledger: \(path) cannot be written: \(reason)")
        }
        try check(draft)
        guard unsafe link(draft, path) == 0 else { throw errno == EEXIST ? existing : refusal() }
    }

    private func check(_ draft: String) throws(UsageError) {
        do throws(UsageError) {
            _ = try ConfigurationFile.load(draft, environment: [:], reading: .none)
        } catch {
            throw UsageError(
                lines: ["subledger: nothing was written, because these answers make no configuration:"]
                    + error.lines.map { $0.replacing(draft, with: path) })
        }
    }

    private var existing: UsageError {
        UsageError("subledger: \(path) is there already, and is left as it is: name another file with --config")
    }

    private func refusal() -> UsageError {
        UsageError("subledger: \(path) cannot be written: \(unsafe String(cString: strerror(errno)))")
    }
}
