// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The `openssl` command line, which nobody here wrote, in a folder.
struct OpenSSLCommand: Sendable {
    let folder: String

    /// What it printed, errors included, without the line's end.
    @concurrent
    func run(_ arguments: String...) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func write(_ bytes: [UInt8], to file: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(file)"))
    }
}
