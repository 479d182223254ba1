// SPDX-License-Identifier: Apache-2.0

import Glibc
import Runs

/// Where an export goes: stdout, or a file that appears under its name when it is whole.
final class ExportOutput: Sendable {
    private let path: String?
    private let aside: String
    private let output: SystemOutput

    /// Nil: stdout.
    init(path: String?) throws(PipelineError) {
        self.path = path
        aside = (path ?? "") + ".part"
        guard path != nil else {
            output = .standardOutput
            return
        }
        // Customers' purchases: for the owner's eyes.
        let descriptor = unsafe open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(aside, unsafe String(cString: strerror(errno))) }
        output = SystemOutput(descriptor: descriptor)
    }

    deinit { if path != nil { close(output.descriptor) } }

    func write(_ text: String) throws(PipelineError) {
        guard let reason = output.write(text) else { return }
        if path != nil { unsafe unlink(aside) }
        throw Self.failure(path == nil ? "stdout" : aside, reason)
    }

    /// Everything was written.
    func finish() throws(PipelineError) {
        guard let path else { return }
        guard fsync(output.descriptor) == 0, unsafe rename(aside, path) == 0 else {
            throw Self.failure(path, unsafe String(cString: strerror(errno)))
        }
    }

    private static func failure(_ place: String, _ reason: String) -> PipelineError {
        PipelineError(.failed, "\(place) cannot be written: \(reason)")
    }
}
