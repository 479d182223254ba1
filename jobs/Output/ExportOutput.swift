// SPDX-License-Identifier: Apache-2.0

import Foundation
import Pipeline

/// Where an export goes: stdout, or a file that appears under its name when it is whole.
final class ExportOutput: Sendable {
    private let path: String?
    private let aside: String
    private let handle: FileHandle

    /// Nil: stdout.
    init(path: String?) throws(PipelineError) {
        self.path = path
        aside = (path ?? "") + ".part"
        guard path != nil else {
            handle = .standardOutput
            return
        }
        // Customers' purchases: for the owner's eyes.
        guard
            FileManager.default.createFile(atPath: aside, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: aside)
        else { throw PipelineError(.failed, "\(aside) cannot be written") }
        self.handle = handle
    }

    func put(_ text: String) throws { try handle.write(contentsOf: Data(text.utf8)) }

    /// Everything was written.
    func finish() throws(PipelineError) {
        guard let path else { return }
        try? handle.close()
        guard unsafe rename(aside, path) == 0 else { throw PipelineError(.failed, "\(path) cannot be written") }
    }
}
