// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Model

/// The file of every import.
struct ImportInput: ParsableArguments {
    @Argument(help: "The file; - reads stdin.")
    var file: String

    var name: String { file == "-" ? "stdin" : file }

    func content() throws(UsageError) -> [UInt8] {
        if file == "-" {
            do {
                return Array(try FileHandle.standardInput.readToEnd() ?? Data())
            } catch {
                throw UsageError("stdin cannot be read: \(SystemReason.of(error))")
            }
        }
        guard let content = FileManager.default.contents(atPath: file) else {
            throw UsageError("\(file): no such file, or not readable")
        }
        return Array(content)
    }
}
